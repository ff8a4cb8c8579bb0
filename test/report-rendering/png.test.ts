// A PNG shows the numbers of the report, and is the same file every time.
import { describe, expect, test } from "vitest";
import type { ReportBranding } from "../../src/products/values-bridge/report/branding.ts";
import { createPalette } from "../../src/products/values-bridge/report/drawing/palette.ts";
import { radiusAt } from "../../src/products/values-bridge/report/drawing/petals.ts";
import type { ReportModel } from "../../src/products/values-bridge/report/report-model.ts";
import { type PictureName, pictureNames } from "../../src/products/values-bridge/report/report-renderer.ts";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { howMany, inExtent } from "../support/extent.ts";
import { hostileNames } from "../support/reports/hostile-names.ts";
import { pixelsOf } from "../support/reports/pixels.ts";
import { neutralBranding, randomReports, reportWith } from "../support/reports/reports.ts";

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
  const middle = { x: 600, y: (top + bottom) / 2, unit: (bottom - top) / (2 * radiusAt(1)) };
  for (let index = 0; index < 19; index += 1) {
    const angle = (2 * Math.PI * index) / 19;
    const along = (radius: number) =>
      at(middle.x + middle.unit * radius * Math.sin(angle), middle.y - middle.unit * radius * Math.cos(angle));
    const [lived, wanted] = [radiusAt(9 / 24), radiusAt(18 / 24)];
    expect([56, lived - 2, lived + 3, wanted - 7, wanted].map(along)).toEqual([fill, fill, tint, tint, text]);
    expect([along(48 - 6), along(wanted + 8)]).toEqual([ground, directions[index]]);
  }
});

test.each(pictureNames)(
  "the picture %s is the same bytes every time, and others for another report or accent",
  async (picture) => {
    const model = reportWith({ 1: [24, 12], 2: [10, 20] });
    const one = await pngOf(model, picture);
    expect(Buffer.compare(one, await pngOf(model, picture))).toBe(0);
    expect(Buffer.compare(one, await pngOf(reportWith({ 1: [20, 11], 2: [10, 20] }), picture))).not.toBe(0);
    expect(Buffer.compare(one, await pngOf(model, picture, { ...neutralBranding, accentColor: accent }))).not.toBe(0);
  },
);

test.each(inExtent([1, 2, 3, 4, 5], [1]))(
  "people with names of up to 30 characters get a picture: part %d of 5",
  async (part) => {
    for (const [index, model] of randomReports(howMany(100, 25), 10 + part).entries()) {
      const png = await pngOf(model, pictureNames[index % 2]);
      const [width, height] = [Buffer.from(png).readUInt32BE(16), Buffer.from(png).readUInt32BE(20)];
      expect([index, width, height > 900 && height < 2_600]).toEqual([index, 1200, true]);
    }
  },
);

describe("names of partners", () => {
  test.each(hostileNames)("a name that is %s is not in the picture", async (_what, displayName) => {
    const model = reportWith({ 1: [24, 12] });
    expect(Buffer.compare(await pngOf(model), await pngOf(model, "circle", { ...neutralBranding, displayName }))).toBe(
      0,
    );
  });
});
