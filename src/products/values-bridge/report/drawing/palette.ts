// The colours of pictures: the accent, a second hue for values lived more than wanted, and neutral ones.
import { deriveAccents, mixColors } from "../../../../presentation/accent.ts";
import { neutrals } from "../../../../presentation/look.ts";
import type { Ink } from "./marks.ts";

/** A colour as `#rrggbb` for each ink. */
export type Palette = Readonly<Record<Ink, string>>;

/** Share of the fill in a tint, and in the edge of one. */
const tintShare = 0.13;
const edgeShare = 0.5;

/** Shares for values that are not among the first, and for differences that may be chance. */
const paleShare = 0.6;
const paleTintShare = 0.08;

/** Pale backgrounds of the directions of the circle, clockwise. */
const grounds = {
  light: ["#e7f0f4", "#f5efe3", "#edebf4", "#e9f1e8"],
  dark: ["#212d33", "#2e2b25", "#2a2934", "#242d26"],
} as const;

const rings = { light: "#cfd8da", dark: "#46525a" } as const;

/** The second hue: warm beside a cold accent, cold beside a warm one. */
const secondHues = { warm: "#b4530a", cold: "#2f5f9e" } as const;

/** The colours on light or on dark ground. @param accent `#rrggbb` */
export function createPalette(accent: string, scheme: "light" | "dark"): Palette {
  const on = (hex: string) => (scheme === "light" ? deriveAccents(hex).onLight : deriveAccents(hex).onDark);
  const fill = on(accent);
  const { ground } = neutrals[scheme];
  const second = on(isWarm(accent) ? secondHues.cold : secondHues.warm);
  return {
    ...neutrals[scheme],
    ring: rings[scheme],
    fill,
    tint: mixColors(fill, ground, tintShare),
    edge: mixColors(fill, ground, edgeShare),
    second,
    pale: mixColors(fill, ground, paleShare),
    paleTint: mixColors(fill, ground, paleTintShare),
    paleSecond: mixColors(second, ground, paleShare),
    direction0: grounds[scheme][0],
    direction1: grounds[scheme][1],
    direction2: grounds[scheme][2],
    direction3: grounds[scheme][3],
  };
}

function isWarm(hex: string): boolean {
  return Number.parseInt(hex.slice(1, 3), 16) > Number.parseInt(hex.slice(5, 7), 16);
}
