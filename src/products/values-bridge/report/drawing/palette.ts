// The colours of pictures: one hue, the accent; everything else is neutral.
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

/** The colours on light or on dark ground. @param accent `#rrggbb` */
export function paletteOf(accent: string, scheme: "light" | "dark"): Palette {
  const { onLight, onDark } = accentsOf(accent);
  const fill = scheme === "light" ? onLight : onDark;
  const { ground } = neutral[scheme];
  return { ...neutral[scheme], fill, tint: mixed(fill, ground, tintShare), edge: mixed(fill, ground, edgeShare) };
}
