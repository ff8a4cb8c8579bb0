// Pages of problems, linked by their `type`, from the error table: when one occurs, what to do, and an example. A test sends the
// requests of all examples.
import { readFileSync } from "node:fs";
import { Code } from "@connectrpc/connect";
import { details } from "../kernel/errors/details.ts";
import { type ErrorCode, type ErrorRow, errorRows } from "../kernel/errors/error-table.ts";
import { Refusal, type RefusalOptions } from "../kernel/errors/refusal.ts";
import { toProblem } from "../transport/http/problem.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Page, Pages } from "./page.ts";

/** A page for each reason, and one that lists them. */
export function createProblemPages(): Pages {
  const pages = errorRows.map((row) => [`problems/${row.code}`, () => createProblemPage(row)] as const);
  return new Map([["problems", createListPage], ...pages]);
}

function createListPage(): Page {
  const items = errorRows.map(({ code, title, httpStatus }) => {
    const status = httpStatus === undefined ? "" : ` (${httpStatus})`;
    return `- [\`${code}\`](problems/${code}): ${title}${status}`;
  });
  const about = "Every error has a code. Its page says when it occurs, and what to do.";
  return { ...renderParts(["# Problems", about, items.join("\n")]), sections: [] };
}

function createProblemPage({ code, reason, httpStatus, grpcCode, title, when, remedy }: ErrorRow): Page {
  const example = problemExamples[code];
  const grpc = grpcCode === undefined ? "does not occur" : `${Code[grpcCode]}, reason \`${reason}\``;
  const page = renderParts([
    `# ${title}`,
    when,
    `**What to do**: ${remedy}`,
    `| Code | HTTP | gRPC |\n| --- | --- | --- |\n| \`${code}\` | ${httpStatus ?? "does not occur"} | ${grpc} |`,
    ...(example === undefined ? [] : ["## For example"]),
    ...(example?.request === undefined ? [] : [`\`\`\`sh\n${example.request}\n\`\`\``]),
    ...(example === undefined ? [] : [`\`\`\`json\n${formatProblem(code)}\n\`\`\``]),
  ]);
  const text = `${when} ${remedy}`.replaceAll("`", "");
  return { ...page, sections: [{ anchor: "", heading: code, depth: 1, text }] };
}

/** A page from the parts of its Markdown. */
function renderParts(parts: readonly string[]) {
  return renderMarkdown(parts.join("\n\n"), (href) => href);
}

export interface ProblemExample extends Pick<RefusalOptions, "violations" | "metadata"> {
  /** Undefined if the same request succeeds at other times. */
  readonly request?: string;
  /** Unset: the default text of the code. */
  readonly detail?: string;
}

/** By code; a reason without an example does not occur over REST. */
export const problemExamples: Readonly<Partial<Record<ErrorCode, ProblemExample>>> = JSON.parse(
  readFileSync(new URL("problem-examples.json", import.meta.url), "utf8"),
);

const exampleUrl = "https://assess.example";
const exampleRequestId = "0a4f1c8e-6d0b-4c55-9b0e-2f7d3c1a9e42";

/** A problem of the code, as formatted JSON. */
export function formatProblem(code: ErrorCode): string {
  const general: Readonly<Partial<Record<ErrorCode, string>>> = details;
  const { detail = general[code] ?? "", ...options } = problemExamples[code] ?? {};
  const { body } = toProblem(new Refusal(code, detail, options), exampleUrl, exampleRequestId);
  return JSON.stringify(JSON.parse(body), null, 2);
}
