// Reports in every format: what is quick is made here, PDF and PNG in a thread, and kept for a while.
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { policyOf, reportHtml } from "../report/html/report-html.ts";
import {
  quickSlot,
  type RenderedReport,
  type RenderingSlot,
  type RenderRequest,
  type ReportFormat,
  type ReportRenderer,
} from "../report/rendering.ts";
import { pictureSvg } from "../report/svg/picture-svg.ts";
import { teamSvg } from "../report/team/team-drawing.ts";
import { teamHtml } from "../report/team/team-html.ts";
import { isTeamReport } from "../report/team/team-model.ts";
import type { RenderingTask } from "./rendering.ts";
import { RenderingSlots, untilLost } from "./slots.ts";
import { createRenderingThread, type RenderingThread, threadLimits } from "./thread.ts";

/** Bytes of PDF and PNG that are kept. */
const cacheBytes = 32 * 1024 * 1024;

const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  pdf: "application/pdf",
};

/** A rendering that those wait for who want the same bytes. */
interface Shared {
  readonly body: Promise<Uint8Array>;
  /** Aborts when nobody waits for it any more. */
  readonly unwanted: AbortController;
  /** Those who wait. */
  readonly readers: Set<symbol>;
}

/** A renderer with a thread of its own. @param thread another one for tests of its limits */
export function createReportRenderer(thread: RenderingThread = createRenderingThread()): ReportRenderer {
  const kept = new LRUCache<string, Uint8Array>({ maxSize: cacheBytes, sizeCalculation: (body) => body.byteLength });
  const slots = new RenderingSlots(threadLimits.queue);
  /** What is being rendered, by its tag; no more than there are slots. */
  const underWay = new Map<string, Shared>();

  const begin = (tag: string, task: RenderingTask, { claimant }: RenderingSlot): Shared => {
    const unwanted = new AbortController();
    const body = thread
      .render(task, { claimant, signal: unwanted.signal })
      .then((rendered) => {
        kept.set(tag, rendered);
        return rendered;
      })
      .finally(() => underWay.get(tag) === shared && underWay.delete(tag));
    const shared = { body, unwanted, readers: new Set<symbol>() };
    underWay.set(tag, shared);
    return shared;
  };

  const renderOnce = async (tag: string, task: RenderingTask, slot: RenderingSlot): Promise<Uint8Array> => {
    const shared = underWay.get(tag) ?? begin(tag, task, slot);
    const { signal } = slot;
    const reader = Symbol("reader");
    shared.readers.add(reader);
    // At once, so that whoever got the slot finds room.
    const leave = () => {
      shared.readers.delete(reader);
      if (shared.readers.size > 0) return;
      shared.unwanted.abort();
      if (underWay.get(tag) === shared) underWay.delete(tag);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await untilLost(shared.body, signal);
    } finally {
      signal.removeEventListener("abort", leave);
      leave();
    }
  };

  return {
    takeSlot: (format, claimant) => (isMadeHere(format) ? quickSlot : slots.take(claimant)),
    describe,
    async renderReport(request, slot = quickSlot) {
      const about = describe(request);
      const { entityTag } = about;
      const task = taskOf(request);
      const render = (of: RenderingTask) => renderOnce(entityTag, of, slot);
      const body = task === null ? madeHere(request) : (kept.get(entityTag) ?? (await render(task)));
      return request.format === "html"
        ? { ...about, body, policy: policyOf(request.branding, request.page) }
        : { ...about, body };
    },
    close: () => thread.close(),
  };
}

function describe(request: RenderRequest): Omit<RenderedReport, "body" | "policy"> {
  return {
    mediaType: mediaTypes[request.format],
    fileName: fileNameOf(request),
    entityTag: entityTagOf(request),
  };
}

/** What a thread has to do for the request; null if nothing. */
function taskOf({ model, branding, format, paper = "a4", picture = "circle" }: RenderRequest): RenderingTask | null {
  if (format === "pdf") return { model, branding, format, paper, picture };
  return format === "png" ? { model, branding, format, picture } : null;
}

function isMadeHere(format: ReportFormat): boolean {
  return format !== "pdf" && format !== "png";
}

function madeHere({ model, branding, format, picture = "circle", page }: RenderRequest): Uint8Array {
  if (format === "json") return Buffer.from(JSON.stringify(model));
  if (isTeamReport(model)) return Buffer.from(format === "html" ? teamHtml(model, branding) : teamSvg(model, branding));
  return Buffer.from(format === "html" ? reportHtml(model, branding, page) : pictureSvg(model, picture, branding));
}

/** Whatever makes a difference to the bytes, and nothing else. */
function entityTagOf({ model, branding, format, paper = "a4", picture = "circle", page }: RenderRequest): string {
  const options = {
    json: null,
    html: page === undefined ? branding : [branding, page],
    svg: [branding, picture],
    png: [branding, picture],
    pdf: [branding, paper, picture === "poster"],
  };
  return `"${hash("sha256", JSON.stringify([format, options[format], model]), "base64url").slice(0, 24)}"`;
}

function fileNameOf({ model, format, picture = "circle" }: RenderRequest): RenderedReport["fileName"] {
  if (isTeamReport(model)) return `team-${model.groupId.slice(0, 8)}.${format}`;
  const { sessionId } = model;
  const session = sessionId === null ? "" : `-${sessionId.slice(0, 8)}`;
  const isPicture = format === "svg" || format === "png" || (format === "pdf" && picture === "poster");
  const part = isPicture ? `-${picture}` : "";
  return `values${session}${part}.${format}`;
}
