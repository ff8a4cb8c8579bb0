// The interface of renderers: from a report and a format to bytes.

import type { Caller } from "../../../kernel/calls/core.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import type { ReportBranding } from "./branding.ts";
import type { ReportModel } from "./report-model.ts";
import type { TeamReportModel } from "./team/team-model.ts";

export const reportFormats = ["json", "html", "svg", "png", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const pictureNames = ["circle", "gaps", "poster"] as const;
export type PictureName = (typeof pictureNames)[number];
/** With the picture that only the person can share. */
export type SharedPictureName = PictureName | "card";

/** Of reports and posters. */
export const reportPapers = ["a4", "letter"] as const;
export const papers = [...reportPapers, "a3", "square"] as const;
export type Paper = (typeof papers)[number];

/** The surroundings of a report as a page of the service: links and forms. Its logo may be fetched. */
export interface OwnPage {
  /** Null: there is no link to a PDF. */
  readonly pdfPath: string | null;
  /** Null: there is no link to a poster. */
  readonly posterPath: string | null;
  /** Null: there is no link back to the partner. */
  readonly onwardPath: string | null;
  /** The form with a small step: its target, its token, and the proposed day; null: there is none. */
  readonly step: { readonly path: string; readonly token: string; readonly day: string } | null;
  /**
   * The form that shares a picture: its target, its token, and the shared picture, with the BCP 47 tag of its language unless
   * that is the session's; null: there is none.
   */
  readonly card: {
    readonly path: string;
    readonly token: string;
    readonly shared: { readonly url: string; readonly language: string | null } | null;
  } | null;
  /** True if the page says that the report is of test data. */
  readonly isTest: boolean;
}

export interface RenderRequest<Model extends ReportModel | TeamReportModel = ReportModel | TeamReportModel> {
  /** In the language of the document. */
  readonly model: Model;
  readonly format: ReportFormat;
  readonly branding: ReportBranding;
  /**
   * For SVG and PNG; the circle by default. A PDF is the whole report, unless this is the poster. A picture of a team report is
   * its first page.
   */
  readonly picture?: SharedPictureName;
  /** Paper of PDFs, posters and team reports; A4 by default. Only posters allow more than `reportPapers`. */
  readonly paper?: Paper;
  /** For HTML that is a page of the service. */
  readonly page?: OwnPage;
}

export interface RenderedReport {
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Has the first eight characters of the session's or group's id, and no name. */
  readonly fileName: string;
  /** Of HTML: the content security policy that it needs. */
  readonly policy?: string;
  /** Strong, in quotes. */
  readonly entityTag: string;
}

export interface ReportRenderer {
  /**
   * Waits for a slot for a report, which is released when it is disposed of; JSON and cached reports need none. Partners take
   * turns, and so do the clients of each.
   * @throws `unavailable` if too many wait, and the signal's reason if none is free in time
   */
  readonly takeSlot: (request: RenderRequest, caller: Caller, signal: AbortSignal) => Disposable | Promise<Disposable>;
  /**
   * The rendered report without its bytes; needs no rendering.
   * @throws `not_acceptable` for paper that only posters have, as the other calls
   */
  readonly describe: (request: RenderRequest) => Omit<RenderedReport, "body" | "policy">;
  /**
   * Renders a report: PDF, PNG and SVG in a thread of their own.
   * @throws `not_acceptable` for a picture of stored results without scores
   * @throws `not_acceptable` if no font for PDF, PNG and SVG has a character of the report
   * @throws `unavailable` if the report took too long, or the service stops
   */
  readonly renderReport: (request: RenderRequest) => Promise<RenderedReport>;
  /** Ends the thread, with a rendering in progress. */
  readonly close: () => Promise<void>;
}

/** The refusal of a rendering that is not possible now. @param reason for the log */
export function createRenderingUnavailable(reason: "queue_full" | "timeout" | "thread_lost" | "stopped"): Refusal {
  const cause = new Error(`reports cannot be rendered right now: ${reason}`);
  const detail = "Too many reports are being rendered. Try again in a second.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}

/** The refusal of a report with a character that no font has; readers' own fonts show it in HTML. */
export function createTextUnprintable(): Refusal {
  return new Refusal("not_acceptable", "The fonts for PDF, PNG and SVG lack a character of this report. Request HTML.");
}
