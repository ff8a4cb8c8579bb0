// A partner's accent colour: unchanged for filled areas; for text, lighter or darker until its contrast is enough (WCAG 2.2,
// 1.4.3).

/** Red, green and blue, 0 to 1. */
type Color = readonly [number, number, number];

/** Colours as `#rrggbb`. */
export interface Accents {
  /** For filled areas: the partner's own. */
  readonly fill: string;
  /** For text on them. */
  readonly onFill: string;
  /** For text, marks and lines on light backgrounds. */
  readonly onLight: string;
  /** The same on dark backgrounds. */
  readonly onDark: string;
}

export const defaultAccent = "#0a6b70";

/** The backgrounds with the least contrast: the darkest light one, the lightest dark one. */
const lightBackground = parseHex("#f4f6f6");
const darkBackground = parseHex("#232b2f");
const white = "#ffffff";
/** A lighter one would be unreadable on some fills. */
const black = "#000000";
const minContrast = 4.6;
const step = 0.01;

/** The accent colours of a partner's colour. @param hex `#rrggbb` */
export function deriveAccents(hex: string): Accents {
  const color = parseHex(hex);
  return {
    fill: hex,
    onFill: computeContrastRatio(hex, white) >= computeContrastRatio(hex, black) ? white : black,
    onLight: formatHex(adjustLightness(color, -step, lightBackground)),
    onDark: formatHex(adjustLightness(color, step, darkBackground)),
  };
}

/** Whether a colour looks like that of errors and warnings: a strong red or orange. @param hex `#rrggbb` */
export function resemblesWarning(hex: string): boolean {
  const [red, green, blue] = parseHex(hex);
  // As in HSL: red leads from 330 to 45 degrees.
  const [min, max] = [Math.min(green, blue), red];
  return red - min > 0.3 && (green >= blue ? green - blue < 0.75 * (max - min) : blue - green < 0.5 * (max - min));
}

/** Contrast ratio of two colours, 1 to 21. */
export function computeContrastRatio(a: string, b: string): number {
  return computeContrast(parseHex(a), parseHex(b));
}

/** A colour between two: `share` of the first, the rest of the second. Colours are `#rrggbb`, the share is 0 to 1. */
export function mixColors(a: string, b: string, share: number): string {
  const [from, to] = [parseHex(b), parseHex(a)];
  const channel = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return formatHex([channel(0), channel(1), channel(2)]);
}

/** Makes a colour darker or lighter until the contrast is enough. */
function adjustLightness(color: Color, change: number, background: Color): Color {
  for (let lightness = computeLightness(color); ; lightness += change) {
    const lighter = withLightness(color, Math.min(1, Math.max(0, lightness)));
    if (computeContrast(lighter, background) >= minContrast) return lighter;
  }
}

function computeContrast(a: Color, b: Color): number {
  const [lighter = 0, darker = 0] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function computeLuminance([red, green, blue]: Color): number {
  const linearize = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linearize(red) + 0.7152 * linearize(green) + 0.0722 * linearize(blue);
}

/** Lightness as in HSL, 0 to 1. */
function computeLightness(color: Color): number {
  return (Math.max(...color) + Math.min(...color)) / 2;
}

/** The colour of the same hue and saturation, as in HSL, with another lightness. */
function withLightness(color: Color, lightness: number): Color {
  const oldLightness = computeLightness(color);
  const computeMaxChroma = (value: number) => 1 - Math.abs(2 * value - 1);
  const scale = computeMaxChroma(oldLightness) === 0 ? 0 : computeMaxChroma(lightness) / computeMaxChroma(oldLightness);
  const channel = (index: 0 | 1 | 2) => lightness + (color[index] - oldLightness) * scale;
  return [channel(0), channel(1), channel(2)];
}

function parseHex(hex: string): Color {
  const channel = (index: number) => Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
  return [channel(0), channel(1), channel(2)];
}

function formatHex(color: Color): string {
  const channel = (share: number) =>
    Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${color.map(channel).join("")}`;
}
