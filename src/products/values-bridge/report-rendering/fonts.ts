// The font of PDF and PNG.
import { fileURLToPath } from "node:url";
import { pageTextWidth } from "../report/drawing/text-width.ts";
import type { Lettering } from "../report/svg/picture-svg.ts";

/** The files of its two cuts. */
export const fontFiles = [
  fontFile("400Regular/SourceSans3_400Regular.ttf"),
  fontFile("600SemiBold/SourceSans3_600SemiBold.ttf"),
];

/** The widths of letters on pages are upper bounds; of words, no more than these shares are used. */
const shares = { regular: 0.95, bold: 0.975 } as const;

/** What drawings are lettered with; letters that the font lacks, with what fonts the system has. */
export const printLettering: Lettering = {
  family: '"Source Sans 3"',
  width: (text, size, bold) => pageTextWidth(text, size, bold) * (bold ? shares.bold : shares.regular),
};

function fontFile(path: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${path}`));
}
