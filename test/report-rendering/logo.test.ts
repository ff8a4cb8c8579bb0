// A partner's logo is printed if it is one, and harmless if it is not.
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createRendering } from "../../src/products/values-bridge/report-rendering/render-task.ts";
import { readPdf, withRole } from "../support/reports/pdf.ts";
import { pngOf } from "../support/reports/pixels.ts";
import { neutralBranding, reportWith } from "../support/reports/reports.ts";

const model = reportWith({ 1: [24, 12] });
const render = createRendering();
const pdfWith = (logoUrl: string) =>
  render({ model, branding: { ...neutralBranding, displayName: "Acme", logoUrl }, format: "pdf", paper: "a4" });

/** 200 pixels wide and 100 high. */
const jpeg =
  "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCABkAMgDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAYHBf/EABgQAQADAQAAAAAAAAAAAAAAAAAGRILC/8QAGAEBAQADAAAAAAAAAAAAAAAAAAQCAwX/xAAXEQEAAwAAAAAAAAAAAAAAAAAAAQMy/9oADAMBAAIRAxEAPwDkgOmtAAAAAAAAAAUkQuY6UqaiFzHSlQ3blLZqQBqYAAAAAAAAAAM2AdNaAAAAAAAAAApIhcx0pU1ELmOlKhu3KWzUgDUwAAAAAAAAAAZsA6a0AAAAAAAAABSRC5jpSpqIXMdKVDduUtmpAGpgAAAAAAAAAAzYB01oAAAAAAAAACkiFzHSlTUQuY6UqG7cpbNSANTAAAAAAAAAABmwDprQAAAAAAAAAFJELmOlKmohcx0pUN25S2akAamAAAAAAAAAADNgHTWgAAAAAAAAAKSIXMdKVNRC5jpSobtyls1IA1MAAAAAAAAAAGbAOmtAAAAAAAAAAUkQuY6UoIbtyls1IA1MAAAAAAAAAAH/2Q==";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey PNG that says it is this large; its data is what it is. */
function claimed(width: number, height: number, data: Buffer): string {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const png = Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
  return `data:image/png;base64,${png.toString("base64")}`;
}

test.each([
  ["PNG", pngOf(240, 60, "#7a1fa2"), 4],
  ["JPEG", jpeg, 2],
  ["very wide PNG", pngOf(3000, 20, "#7a1fa2"), 150],
])(
  "a logo that is a %s is printed with its own ratio, and the name as its alternative text",
  async (_what, logoUrl, ratio) => {
    const read = await readPdf(await pdfWith(logoUrl));
    const [logo, circle] = withRole(read.elements, "Figure");
    expect([logo?.alt, circle?.alt]).toEqual(["Acme", model.picture?.description]);
    const [left = 0, top = 0, right = 0, bottom = 0] = logo?.bbox ?? [];
    expect((right - left) / (bottom - top)).toBeCloseTo(ratio, 1);
    expect(read).toMatchObject({ stray: [] });
  },
);

test("a JPEG with fill bytes before its frame is printed", async () => {
  const [head = "", data = ""] = jpeg.split(",");
  const bytes = Buffer.from(data, "base64");
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  const filled = Buffer.concat([bytes.subarray(0, frame), Buffer.alloc(3, 0xff), bytes.subarray(frame)]);
  const read = await readPdf(await pdfWith(`${head},${filled.toString("base64")}`));
  expect(withRole(read.elements, "Figure")[0]?.alt).toBe("Acme");
});

test.each([
  ["elsewhere", "https://example.com/logo.png"],
  [
    "an SVG",
    `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64")}`,
  ],
  ["no picture at all", `data:image/png;base64,${Buffer.from("hello").toString("base64")}`],
  ["a PNG of 900 million pixels", claimed(30_000, 30_000, deflateSync(Buffer.alloc(10_000)))],
  ["a PNG of 5 million pixels", claimed(2_500, 2_000, deflateSync(Buffer.alloc(2_501 * 2_000)))],
  ["a PNG of broken data", claimed(10, 10, Buffer.from("this is not deflated"))],
  ["a PNG of no pixels", claimed(0, 10, deflateSync(Buffer.alloc(10)))],
  ["a JPEG that ends at once", `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8]).toString("base64")}`],
  [
    "a JPEG of 4 billion pixels",
    `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 255, 255, 255, 255, 3, 1, 17, 0, 2, 17, 1, 3, 17, 1]).toString("base64")}`,
  ],
  [
    "a JPEG of endless segments",
    `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, ...Array.from({ length: 9_000 }, (_, index) => (index % 2 ? 0xe0 : 0xff))]).toString("base64")}`,
  ],
])("a logo that is %s is replaced by the name", async (_what, logoUrl) => {
  const read = await readPdf(await pdfWith(logoUrl));
  expect(withRole(read.elements, "P")[0]?.text).toBe("Acme");
  expect(withRole(read.elements, "Figure")).toHaveLength(1);
});
