// A partner's logo for PDFs. Whatever comes is decoded by a decoder that is used to hostile files, drawn at the size that is
// needed, and encoded anew: pdfkit gets to see nothing else.
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { embeddedLogo, type ReportBranding } from "../report/branding.ts";

/** A logo as PNG on white. */
export interface PrintedLogo {
  readonly png: Buffer;
  /** Width by height. */
  readonly ratio: number;
}

/** More pixels than these are no logo: decoding one must not take the memory of the process. */
const mostPixels = 4_000_000;

/** Height of the drawn logo in pixels, and the longest it may be. */
const height = 112;
const longest = 700;

/** The logo of a branding, if it is a PNG or JPEG within it that can be decoded. */
export async function printedLogo(branding: ReportBranding): Promise<PrintedLogo | null> {
  const [, data] = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+=*)$/.exec(embeddedLogo(branding) ?? "") ?? [];
  if (data === undefined) return null;
  const bytes = Buffer.from(data, "base64");
  const size = sizeOf(bytes);
  if (size === null || size.width * size.height > mostPixels || size.width * size.height === 0) return null;
  try {
    const image = await loadImage(bytes);
    const scale = Math.min(height / image.height, longest / image.width);
    const canvas = createCanvas(
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    );
    const context = canvas.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return { png: canvas.toBuffer("image/png"), ratio: canvas.width / canvas.height };
  } catch {
    return null;
  }
}

/** Width and height as the head of a PNG or JPEG states them. */
function sizeOf(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  // Segments have a length of two or more, so that each step goes on.
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))) {
    // Before a marker there may be more bytes of this kind.
    while (bytes[at + 1] === 0xff && at + 10 < bytes.length) at += 1;
    const marker = bytes[at + 1] ?? 0;
    // Decoders read these without a length, so that they and this loop would part here.
    if (marker === 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}
