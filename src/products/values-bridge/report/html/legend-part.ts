// The legend of what a page draws: each mark with its words.
import { html, type SafeHtml } from "@remix-run/html-template";
import { sampleSize } from "../drawing/legend.ts";
import type { Mark } from "../drawing/marks.ts";
import { marksToSvg } from "../svg/marks-svg.ts";

/** A list of marks. @param samplesOf what a mark looks like in a box of the size of samples; nothing: it is left out */
export function legendOf<Of extends { readonly text: string }>(
  legend: readonly Of[],
  samplesOf: (entry: Of) => readonly Mark[],
): SafeHtml {
  const { width, height } = sampleSize;
  const entries = legend.map((entry) => ({ text: entry.text, marks: samplesOf(entry) }));
  return html`<ul class="legend">${entries
    .filter(({ marks }) => marks.length > 0)
    .map(
      ({ text, marks }) =>
        html`<li><svg width="${width}" height="${height}" aria-hidden="true">${marksToSvg(marks)}</svg>${text}</li>\n`,
    )}</ul>`;
}
