// Renders reports: JSON and HTML here, the other formats in a thread, with a cache.
import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import { Semaphore, type SemaphoreLimits } from "../../../limits/semaphore.ts";
import { createContentPolicy, renderReportHtml } from "../report/html/report-html.ts";
import {
  createRenderingUnavailable,
  type RenderedReport,
  type RenderRequest,
  type ReportFormat,
  type ReportRenderer,
  reportPapers,
} from "../report/report-renderer.ts";
import { renderTeamHtml } from "../report/team/team-html.ts";
import { isTeamReport } from "../report/team/team-model.ts";
import type { RenderingTask } from "./render-task.ts";
import type { RenderingThread } from "./thread.ts";

/** Size of the cache of reports from the thread, in bytes. */
const cacheBytes = 32 * 1024 * 1024;

const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  pdf: "application/pdf",
};

/**
 * One report is rendered while the next one is read. The queue is as long as a call may wait on a machine that takes 100
 * milliseconds for each report.
 */
const queueLimits: SemaphoreLimits = { slots: 2, slotsPerPartner: 2, queue: 96 };

/** Pages are rendered in this thread, one of each partner in a turn of the event loop. */
const pageLimits: SemaphoreLimits = { slots: Number.POSITIVE_INFINITY, slotsPerPartner: 1, queue: 1_000 };

/** @param thread closed with the renderer */
export function createReportRenderer(thread: RenderingThread): ReportRenderer {
  const cache = new LRUCache<string, Uint8Array>({ maxSize: cacheBytes, sizeCalculation: (body) => body.byteLength });
  const slots = new Semaphore(queueLimits, () => createRenderingUnavailable("queue_full"));
  const pageSlots = new Semaphore(pageLimits, () => createRenderingUnavailable("queue_full"));
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time. An earlier one may have been the same. */
  const renderInTurn = (tag: string, task: RenderingTask): Promise<Uint8Array> => {
    const turn = last.then(async () => {
      const body = cache.get(tag) ?? (await thread.render(task));
      cache.set(tag, body);
      return body;
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    takeSlot(request, caller, signal) {
      const { format } = request;
      if (format === "json" || cache.has(computeEntityTag(request))) return noSlot;
      return (format === "html" ? pageSlots : slots).acquire(caller, signal);
    },
    describe,
    async renderReport(request) {
      const { model, format, branding, page } = request;
      const about = describe(request);
      if (format === "json") return { ...about, body: Buffer.from(JSON.stringify(model)) };
      if (format === "html") {
        await nextTurn();
        const text = isTeamReport(model) ? renderTeamHtml(model, branding) : renderReportHtml(model, branding, page);
        return { ...about, body: Buffer.from(text), policy: createContentPolicy(branding, page) };
      }
      const tag = about.entityTag;
      return { ...about, body: cache.get(tag) ?? (await renderInTurn(tag, toTask(request, format))) };
    },
    close: () => thread.close(),
  };
}

/** For reports that need no slot. */
const noSlot: Disposable = { [Symbol.dispose]: () => undefined };

function describe(request: RenderRequest): Omit<RenderedReport, "body" | "policy"> {
  return {
    mediaType: mediaTypes[request.format],
    fileName: toFileName(request),
    entityTag: computeEntityTag(request),
  };
}

/**
 * The task for the thread, with only the options that change the bytes.
 * @throws `not_acceptable` for paper that only posters have
 */
function toTask(request: RenderRequest, format: RenderingTask["format"]): RenderingTask {
  const { model, branding, paper = "a4" } = request;
  const isTeam = isTeamReport(model);
  const isPoster = request.picture === "poster" && !isTeam;
  if (!isPoster && !reportPapers.some((each) => each === paper)) {
    throw new Refusal("not_acceptable", "Only the poster is made in A3 and square.");
  }
  const { picture = "circle" } = isPoster || (format !== "pdf" && !isTeam) ? request : {};
  return { model, branding, format, paper: isPoster || isTeam || format === "pdf" ? paper : "a4", picture };
}

/** The entity tag and cache key, from everything that changes the bytes. Throws as `toTask`. */
function computeEntityTag(request: RenderRequest): string {
  const { model, branding, format, page } = request;
  const html = { model, branding, format, page };
  const input = format === "json" ? { model, format } : format === "html" ? html : toTask(request, format);
  return `"${hash("sha256", JSON.stringify(input), "base64url").slice(0, 24)}"`;
}

function toFileName({ model, format, picture = "circle" }: RenderRequest): RenderedReport["fileName"] {
  if (isTeamReport(model)) return `team-${model.groupId.slice(0, 8)}.${format}`;
  const { sessionId } = model;
  const session = sessionId === null ? "" : `-${sessionId.slice(0, 8)}`;
  const isPicture = format === "svg" || format === "png" || (format === "pdf" && picture === "poster");
  const part = isPicture ? `-${picture}` : "";
  return `values${session}${part}.${format}`;
}
