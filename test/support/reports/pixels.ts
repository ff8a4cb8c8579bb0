// Pictures made and looked at, pixel by pixel.
import { Resvg } from "@resvg/resvg-js";
import { decodeQR } from "qr/decode.js";

/** A picture of one colour on its left half, and of nothing on its right one, as a `data:` URL. */
export function pngOf(width: number, height: number, color: string, share = 0.5): string {
  const shape = `<rect width="${share * width}" height="${height}" fill="${color}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape}</svg>`;
  return `data:image/png;base64,${new Resvg(svg).render().asPng().toString("base64")}`;
}

/** A logo of one colour. */
export const logoOf = (color: string): string => pngOf(80, 80, color, 1);

/** The size of a PNG, and the colour at a place of it, as `#rrggbb`. */
export function pixelsOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${bytes.toString("base64")}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
  const { pixels } = new Resvg(svg).render();
  const at = (x: number, y: number) => {
    const start = 4 * (Math.round(y) * width + Math.round(x));
    return `#${[...pixels.subarray(start, start + 3)].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };
  return { width, height, at };
}

/** The text of a QR code, as a camera sees its picture. */
export function readQrCode(svg: string): string {
  const { width, height, pixels } = new Resvg(svg, {
    background: "white",
    fitTo: { mode: "width", value: 400 },
  }).render();
  return decodeQR({ width, height, data: new Uint8Array(pixels) });
}
