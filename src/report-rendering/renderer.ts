// Reports in every format: what is quick is made here, PDF and PNG in a thread, and kept for a while.
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { policyOf, reportHtml } from "../products/values-bridge/report/html/report-html.ts";
import {
  quickPlace,
  type RenderedReport,
  type RenderRequest,
  type ReportFormat,
  type ReportRenderer,
} from "../products/values-bridge/report/rendering.ts";
import { pictureSvg } from "../products/values-bridge/report/svg/picture-svg.ts";
import { RenderingPlaces } from "./places.ts";
import type { RenderingTask } from "./rendering.ts";
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

/** A renderer with a thread of its own. @param thread another one for tests of its limits */
export function createReportRenderer(thread: RenderingThread = createRenderingThread()): ReportRenderer {
  const kept = new LRUCache<string, Uint8Array>({ maxSize: cacheBytes, sizeCalculation: (body) => body.byteLength });
  // One is rendered while the others wait.
  const places = new RenderingPlaces(threadLimits.queue + 1);
  /** What is being rendered, by its tag; no more than the thread takes on. */
  const underWay = new Map<string, Promise<Uint8Array>>();

  const renderOnce = (tag: string, task: RenderingTask): Promise<Uint8Array> => {
    const running = underWay.get(tag);
    if (running !== undefined) return running;
    const rendering = thread
      .render(task)
      .then((body) => {
        kept.set(tag, body);
        return body;
      })
      .finally(() => underWay.delete(tag));
    underWay.set(tag, rendering);
    return rendering;
  };

  return {
    takePlace: (format) => (isMadeHere(format) ? quickPlace : places.take()),
    describe,
    async renderReport(request) {
      const about = describe(request);
      const { entityTag } = about;
      const task = taskOf(request);
      const body = task === null ? madeHere(request) : (kept.get(entityTag) ?? (await renderOnce(entityTag, task)));
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
  if (format === "pdf") return { model, branding, format, paper };
  return format === "png" ? { model, branding, format, picture } : null;
}

function isMadeHere(format: ReportFormat): boolean {
  return format !== "pdf" && format !== "png";
}

function madeHere({ model, branding, format, picture = "circle", page }: RenderRequest): Uint8Array {
  if (format === "json") return Buffer.from(JSON.stringify(model));
  return Buffer.from(format === "html" ? reportHtml(model, branding, page) : pictureSvg(model, picture, branding));
}

/** Whatever makes a difference to the bytes, and nothing else. */
function entityTagOf({ model, branding, format, paper = "a4", picture = "circle", page }: RenderRequest): string {
  const options = {
    json: null,
    html: page === undefined ? branding : [branding, page],
    svg: [branding, picture],
    png: [branding, picture],
    pdf: [branding, paper],
  };
  return `"${hash("sha256", JSON.stringify([format, options[format], model]), "base64url").slice(0, 24)}"`;
}

function fileNameOf({ model: { sessionId }, format, picture = "circle" }: RenderRequest): RenderedReport["fileName"] {
  const session = sessionId === null ? "" : `-${sessionId.slice(0, 8)}`;
  const part = format === "svg" || format === "png" ? `-${picture}` : "";
  return `values${session}${part}.${format}`;
}
