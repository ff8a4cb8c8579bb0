// A partner's logo for PDF and PNG: of known size before anything decodes it.
import { embeddedLogo, type ReportBranding } from "../report/branding.ts";

/** Limit of pixels: decoding a logo must not exhaust the memory of the process. */
const mostPixels = 4_000_000;

/** The bytes of a logo that is a PNG or JPEG within the limits of brandings, of 4 million pixels at most. */
export function boundedLogo(branding: ReportBranding): readonly number[] | null {
  const [, data] = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+=*)$/.exec(embeddedLogo(branding) ?? "") ?? [];
  if (data === undefined) return null;
  const bytes = Buffer.from(data, "base64");
  const size = sizeOf(bytes);
  if (size === null || size.width * size.height > mostPixels || size.width * size.height === 0) return null;
  return [...bytes];
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
    // These markers have no length, so decoders and this loop would read differently.
    if (marker === 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}
