// The page that stands for an error, and the way out that it offers.
import type { FastifyReply, FastifyRequest } from "fastify";
import { appearanceOf } from "./appearance.ts";
import { formToResend, isByScript } from "./form.ts";
import type { Obstacle, PageError } from "./page-error.ts";
import { pathsOf } from "./paths.ts";
import { obstaclePage, type WayOut } from "./views/message.ts";
import type { VisitPages } from "./visit-pages.ts";

/** Obstacles that may be gone when the same is tried again. */
const passing: readonly Obstacle[] = ["tooMany", "unavailable", "defect"];

/** Answers an error: scripts get its status, people a page in words. */
export function answerObstacle(
  pages: VisitPages,
  { obstacle, status, code, retryAfterSeconds }: PageError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | FastifyReply {
  reply.code(status);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  if (isByScript(request)) return reply.header("cache-control", "no-store").send({ code: code ?? obstacle });
  const view = { obstacle, requestId: request.id, wayOut: wayOutOf(obstacle, request, pages.base) };
  return pages.send(reply, obstaclePage(view, appearanceOf(request)));
}

function wayOutOf(obstacle: Obstacle, request: FastifyRequest, base: string): WayOut | undefined {
  const { texts } = appearanceOf(request).language;
  const form = formToResend(request);
  if (passing.includes(obstacle)) {
    const to = base + request.url;
    return form === undefined ? { kind: "link", to, label: texts.tryAgain } : { kind: "form", to, fields: form };
  }
  // Only who has been let in to a session is sent back to it.
  const { sessionId } = (request.params ?? {}) as { sessionId?: string };
  if (request.appearance === null || sessionId === undefined) return undefined;
  return { kind: "link", to: pathsOf(base, sessionId).start, label: texts.toStart };
}
