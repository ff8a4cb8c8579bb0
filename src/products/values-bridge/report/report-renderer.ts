// The port of renderers: a report and a format in, bytes out.

import type { Caller } from "../../../kernel/calls/caller.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import type { ReportBranding } from "./branding.ts";
import type { ReportModel } from "./report-model.ts";
import type { TeamReportModel } from "./team/team-model.ts";

export const reportFormats = ["json", "html", "svg", "png", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const pictureNames = ["circle", "gaps", "poster"] as const;
export type PictureName = (typeof pictureNames)[number];
/** With the one that the person alone shares. */
export type SharedPictureName = PictureName | "card";

/** Of reports and posters. */
export const reportPapers = ["a4", "letter"] as const;
export const papers = [...reportPapers, "a3", "square"] as const;
export type Paper = (typeof papers)[number];

/** What a page has that is no file: ways on, and a logo that the browser fetches. */
export interface OwnPage {
  /** Where the PDF is; null: nowhere. */
  readonly pdfPath: string | null;
  /** Where the poster is, likewise. */
  readonly posterPath: string | null;
  /** Link back to the partner, likewise. */
  readonly onwardPath: string | null;
  /** The target of the HTML form with a small step, its token, and the day that it proposes; null: there is none. */
  readonly step: { readonly path: string; readonly token: string; readonly day: string } | null;
  /**
   * The target of the HTML form that shares a picture, its token, and the picture that is shared, with the BCP 47 tag of its language
   * unless that is the session's; null: there is none.
   */
  readonly card: {
    readonly path: string;
    readonly token: string;
    readonly shared: { readonly url: string; readonly language: string | null } | null;
  } | null;
  /** Whether the report is of test data, which the page says. */
  readonly isTest: boolean;
}

export interface RenderRequest<Model extends ReportModel | TeamReportModel = ReportModel | TeamReportModel> {
  /** In the language that the report is wanted in. */
  readonly model: Model;
  readonly format: ReportFormat;
  readonly branding: ReportBranding;
  /**
   * Of SVG and PNG of a person's report; the circle by default. A PDF is the poster if it is asked for, else the whole
   * report. Pictures of a team report are its first page.
   */
  readonly picture?: SharedPictureName;
  /** Paper of PDFs, posters and team reports; A4 by default. Only posters have others than `reportPapers`. */
  readonly paper?: Paper;
  /** The surroundings of an HTML report that the service itself shows to the person. */
  readonly page?: OwnPage;
}

export interface RenderedReport {
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** The first eight characters of the session's or group's id; it names nobody. */
  readonly fileName: string;
  /** Of HTML: the content security policy that it needs. */
  readonly policy?: string;
  /** Strong, in quotes. */
  readonly entityTag: string;
}

export interface ReportRenderer {
  /**
   * Takes a slot for a report, now or when one is free, until it is disposed of; JSON and what is rendered already take none.
   * Partners take turns, and so do the clients of each.
   * @throws `unavailable` where too many wait, and the signal's reason if none is free in time
   */
  readonly takeSlot: (request: RenderRequest, caller: Caller, signal: AbortSignal) => Disposable | Promise<Disposable>;
  /**
   * Everything of the rendered report except its bytes; needs no rendering.
   * @throws `not_acceptable` on paper that only posters have, as the other calls do
   */
  readonly describe: (request: RenderRequest) => Omit<RenderedReport, "body" | "policy">;
  /**
   * Renders a report. JSON and HTML are made at once, PDF, PNG and SVG in a thread of their own.
   * @throws `not_acceptable` for a picture of stored results without scores
   * @throws `not_acceptable` if no font for PDF, PNG and SVG has a character of the report
   * @throws `unavailable` if the report took too long, or the service stops
   */
  readonly renderReport: (request: RenderRequest) => Promise<RenderedReport>;
  /** Ends the thread; a rendering in progress is aborted. */
  readonly close: () => Promise<void>;
}

/** Rendering is unavailable right now. @param reason for the log */
export function createRenderingUnavailable(reason: "queue_full" | "timeout" | "thread_lost" | "stopped"): Refusal {
  const cause = new Error(`reports cannot be rendered right now: ${reason}`);
  const detail = "Too many reports are being rendered. Try again in a second.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}

/** No font has a glyph for a character of the report; HTML is shown with the fonts of its reader. */
export function createTextUnprintable(): Refusal {
  return new Refusal("not_acceptable", "The fonts for PDF, PNG and SVG lack a character of this report. Request HTML.");
}
