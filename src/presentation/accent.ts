// A partner's accent colour: unchanged for filled areas, and adjusted for text on the page to the same hue with enough contrast
// (WCAG 2.2, 1.4.3).

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

/** The backgrounds of the stylesheet that are closest to accents: the darkest light one, the lightest dark one. */
const lightBackground = parse("#f4f6f6");
const darkBackground = parse("#232b2f");
const white = parse("#ffffff");
/** Anything lighter would leave colours on which neither can be read. */
const black = parse("#000000");
const minContrast = 4.6;
const step = 0.01;

/** The accent colours of a partner's colour. @param hex `#rrggbb` */
export function deriveAccents(hex: string): Accents {
  const color = parse(hex);
  return {
    fill: hex,
    onFill: format(computeContrast(color, white) >= computeContrast(color, black) ? white : black),
    onLight: format(adjustLightness(color, -step, lightBackground)),
    onDark: format(adjustLightness(color, step, darkBackground)),
  };
}

/** Whether a colour looks like one of errors and warnings: red or orange, and neither pale nor grey. @param hex `#rrggbb` */
export function isLikeWarnings(hex: string): boolean {
  const [red, green, blue] = parse(hex);
  // As in HSL: red leads from 330 to 45 degrees.
  const [least, most] = [Math.min(green, blue), red];
  return (
    red - least > 0.3 && (green >= blue ? green - blue < 0.75 * (most - least) : blue - green < 0.5 * (most - least))
  );
}

/** Contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  return computeContrast(parse(one), parse(other));
}

/** A colour between two: `share` of the one, the rest of the other. Colours are `#rrggbb`, the share is 0 to 1. */
export function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [parse(other), parse(one)];
  const channel = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return format([channel(0), channel(1), channel(2)]);
}

/** The colour, made darker or lighter step by step until the contrast is enough. */
function adjustLightness(color: Color, change: number, background: Color): Color {
  for (let lightness = computeLightness(color); ; lightness += change) {
    const lighter = withLightness(color, Math.min(1, Math.max(0, lightness)));
    if (computeContrast(lighter, background) >= minContrast) return lighter;
  }
}

function computeContrast(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const linear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Lightness as in HSL, 0 to 1. */
function computeLightness(color: Color): number {
  return (Math.max(...color) + Math.min(...color)) / 2;
}

/** The colour of the same hue and saturation, as in HSL, with another lightness. */
function withLightness(color: Color, lightness: number): Color {
  const own = computeLightness(color);
  const room = (value: number) => 1 - Math.abs(2 * value - 1);
  const stretch = room(own) === 0 ? 0 : room(lightness) / room(own);
  const channel = (index: 0 | 1 | 2) => lightness + (color[index] - own) * stretch;
  return [channel(0), channel(1), channel(2)];
}

function parse(hex: string): Color {
  const channel = (index: number) => Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
  return [channel(0), channel(1), channel(2)];
}

function format(color: Color): string {
  const channel = (share: number) =>
    Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${color.map(channel).join("")}`;
}
