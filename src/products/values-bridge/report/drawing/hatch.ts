// The hatch as lines, for drawings without patterns.
import { type Box, hatch } from "./marks.ts";

/** Lines at 45 degrees through a box, as x1, y1, x2, y2: to be clipped by the shape. They go on from shape to shape. */
export function hatchLines([left, top, right, bottom]: Box): readonly Box[] {
  const pitch = hatch.pitch * Math.SQRT2;
  const first = Math.ceil((left + top) / pitch);
  const last = Math.floor((right + bottom) / pitch);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const sum = (first + index) * pitch;
    return [left, sum - left, right, sum - right] as const;
  });
}
