// The pages that the `type` of a problem leads to, made from the error table.
import { Code } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type ErrorRow, errorRows } from "../../contract/error-table.ts";
import { Problem } from "../../http/problem.ts";

const style =
  "body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}" +
  "code{font-size:.95em}dt{font-weight:600}dd{margin:0 0 .8rem}";
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Adds a page for each reason, and one that lists them. */
export function addProblemRoutes(app: FastifyInstance): void {
  const pages: ReadonlyMap<string, string> = new Map(errorRows.map((row) => [row.code, page(row.title, details(row))]));
  const list = errorRows.map(
    ({ code, title }) => `<li><a href="problems/${code}"><code>${code}</code></a>: ${text(title)}</li>`,
  );
  const index = page("Problems", `<ul>${list.join("")}</ul>`);

  app.get("/problems", async (_request, reply) => send(reply, index));
  app.get("/problems/:code", async (request, reply) => {
    const html = pages.get((request.params as { code: string }).code);
    if (html === undefined) throw new Problem("not_found", "There is no problem of this code.");
    return send(reply, html);
  });
}

function send(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .headers({ "content-security-policy": contentSecurityPolicy, "cache-control": "public, max-age=3600" })
    .send(html);
}

function details({ code, reason, httpStatus, grpcCode, when, remedy }: ErrorRow): string {
  const rows: readonly [string, string][] = [
    ["When", text(when)],
    ["What to do", text(remedy)],
    ["Code", `<code>${code}</code>`],
    ["HTTP status", httpStatus === undefined ? "does not occur" : String(httpStatus)],
    ["gRPC status", grpcCode === undefined ? "does not occur" : `${Code[grpcCode]}, reason <code>${reason}</code>`],
  ];
  return `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}

function page(title: string, body: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text(title)}</title>`;
  return `<!doctype html><html lang="en"><head>${head}<style>${style}</style></head><body><h1>${text(title)}</h1>${body}</body></html>`;
}

/** The table is ours, but text is text. */
function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("`", "");
}
