// The colours of pictures: the accent, and a second hue for what is lived more than wanted; everything else is neutral.
import { accentsOf, mixed } from "../../../../kernel/presentation/accent.ts";
import type { Ink } from "./marks.ts";

/** A colour as `#rrggbb` for each ink. */
export type Palette = Readonly<Record<Ink, string>>;

/** Share of the fill in a tint, and in the edge of one. */
const tintShare = 0.13;
const edgeShare = 0.5;

const neutral = {
  light: { ground: "#ffffff", text: "#172024", muted: "#566167", ring: "#cfd8da" },
  dark: { ground: "#1c2225", text: "#e6ebec", muted: "#a3afb4", ring: "#46525a" },
} as const;

/** The second hue: warm beside a cold accent, cold beside a warm one. */
const secondHues = { warm: "#b4530a", cold: "#2f5f9e" } as const;

/** The colours on light or on dark ground. @param accent `#rrggbb` */
export function paletteOf(accent: string, scheme: "light" | "dark"): Palette {
  const on = (hex: string) => (scheme === "light" ? accentsOf(hex).onLight : accentsOf(hex).onDark);
  const fill = on(accent);
  const { ground } = neutral[scheme];
  return {
    ...neutral[scheme],
    fill,
    tint: mixed(fill, ground, tintShare),
    edge: mixed(fill, ground, edgeShare),
    second: on(isWarm(accent) ? secondHues.cold : secondHues.warm),
  };
}

function isWarm(hex: string): boolean {
  return Number.parseInt(hex.slice(1, 3), 16) > Number.parseInt(hex.slice(5, 7), 16);
}
