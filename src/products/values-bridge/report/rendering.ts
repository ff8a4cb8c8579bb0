// The port of renderers: a report and a format in, bytes out.
import { Refusal } from "../../../kernel/errors/refusal.ts";
import type { ReportBranding } from "./branding.ts";
import type { PictureName } from "./drawing/pictures.ts";
import type { ReportModel } from "./report-model.ts";
import type { TeamReportModel } from "./team/team-model.ts";

export const reportFormats = ["json", "html", "svg", "png", "pdf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const papers = ["a4", "letter"] as const;
export type Paper = (typeof papers)[number];

/** What a page has that is no file: ways on, and a logo that the browser fetches. */
export interface OwnPage {
  /** Where the PDF is; null: nowhere. */
  readonly pdfPath: string | null;
  /** Where the poster is, likewise. */
  readonly posterPath: string | null;
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
   * report. A team report is one page in all of them.
   */
  readonly picture?: PictureName;
  /** Of PDF; A4 by default. */
  readonly paper?: Paper;
  /** Of HTML that the service itself shows to the person. */
  readonly page?: OwnPage;
}

export interface RenderedReport {
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Names the session or group by the first eight characters of its id, and nobody. */
  readonly fileName: string;
  /** Of HTML: the content security policy that it needs. */
  readonly policy?: string;
  /** Strong, in quotes. */
  readonly entityTag: string;
}

/** For whom a report is rendered. Slots are shared fairly among partners, and within a partner among its callers. */
export interface RenderingClaimant {
  readonly partnerId: string;
  /** One of the partner's clients, or the session of a person who reads their own report. */
  readonly caller: string;
}

/** A slot among those whose report is rendered. It is free again once it is disposed of. */
export interface RenderingSlot extends Disposable {
  readonly claimant: RenderingClaimant;
  /** Aborts when the slot goes to somebody who has fewer. */
  readonly signal: AbortSignal;
  /**
   * Makes what is rendered, when those before it have made theirs.
   * @throws `unavailable` once the slot is lost
   */
  readonly inTurn: <T>(make: () => Promise<T>) => Promise<T>;
}

/** The slot of somebody for whom nothing is rendered in a thread: there is always one, and no turn to wait for. */
export const quickSlot: RenderingSlot = {
  claimant: { partnerId: "", caller: "" },
  signal: new AbortController().signal,
  inTurn: (make) => make(),
  [Symbol.dispose]: () => undefined,
};

export interface ReportRenderer {
  /**
   * To be taken before anything is read for the report. Where all slots are taken, whoever has most loses the newest
   * one.
   * @throws `unavailable` if nobody has more than the claimant would have
   */
  readonly takeSlot: (format: ReportFormat, claimant: RenderingClaimant) => RenderingSlot;
  /** All of the rendered report but its bytes; takes no rendering. */
  readonly describe: (request: RenderRequest) => Omit<RenderedReport, "body" | "policy">;
  /**
   * Renders a report. JSON, HTML and SVG are made at once, PDF and PNG in a thread of their own.
   * @throws `not_acceptable` for a picture of stored results without scores
   * @throws `not_acceptable` if the font of PDF and PNG lacks a character of the report
   * @param slot unless given, that of somebody who is alone
   * @throws `unavailable` if the slot was lost, or the report took too long, or the service stops
   */
  readonly renderReport: (request: RenderRequest, slot?: RenderingSlot) => Promise<RenderedReport>;
  /** Ends the thread; what is being rendered is given up. */
  readonly close: () => Promise<void>;
}

/** Rendering cannot be had right now. @param reason for the log */
export function renderingUnavailable(reason: "queue_full" | "timeout" | "thread_lost" | "stopped"): Refusal {
  const cause = new Error(`reports cannot be rendered right now: ${reason}`);
  const detail = "Too many reports are being made. Try again in a second.";
  return new Refusal("unavailable", detail, { retryAfterSeconds: 1, cause });
}

/** The font has no glyph for a character of the report; HTML and SVG are shown with the fonts of their readers. */
export function textUnprintable(): Refusal {
  return new Refusal("not_acceptable", "The font of PDF and PNG lacks a letter of this report. HTML and SVG show it.");
}
