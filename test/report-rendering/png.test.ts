// A PNG shows the numbers of the report, and is the same file every time.
import { expect, test } from "vitest";
import type { ReportBranding } from "../../src/products/values-bridge/report/branding.ts";
import { createPalette } from "../../src/products/values-bridge/report/drawing/palette.ts";
import { toRadius } from "../../src/products/values-bridge/report/drawing/petals.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import type { PictureName } from "../../src/products/values-bridge/report/report-renderer.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { pixelsOf } from "../support/reports/pixels.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

const render = createRendering();
const accent = "#7a1fa2";
const pngOf = (model: ReportModel, picture: PictureName = "circle", branding: ReportBranding = neutralBranding) =>
  render({ model, branding, format: "png", picture });

test("the petals of the picture are as long as the scores", async () => {
  const model = reportWith({}, {}, [18, 9]);
  const { at, width, height } = pixelsOf(await pngOf(model, "circle", { ...neutralBranding, accentColor: accent }));
  const { fill, tint, text, ground, ring, ...palette } = createPalette(accent, "light");
  const { direction0, direction1, direction2, direction3 } = palette;
  const directions = [direction0, direction1, direction2, direction3].flatMap((color, place) =>
    Array<string>(model.picture.directions[place]?.values ?? 0).fill(color),
  );
  expect(width).toBe(1200);
  // Its rim, straight above and below its middle.
  const rims = Array.from({ length: height }, (_, y) => y).filter((y) => at(600, y) === ring);
  const [top = 0, bottom = 0] = [rims[0], rims.at(-1)];
  const middle = { x: 600, y: (top + bottom) / 2, unit: (bottom - top) / (2 * toRadius(1)) };
  for (let index = 0; index < 19; index += 1) {
    const angle = (2 * Math.PI * index) / 19;
    const along = (radius: number) =>
      at(middle.x + middle.unit * radius * Math.sin(angle), middle.y - middle.unit * radius * Math.cos(angle));
    const [lived, wanted] = [toRadius(9 / 24), toRadius(18 / 24)];
    expect([56, lived - 2, lived + 3, wanted - 7, wanted].map(along)).toEqual([fill, fill, tint, tint, text]);
    expect([along(48 - 6), along(wanted + 8)]).toEqual([ground, directions[index]]);
  }
});
