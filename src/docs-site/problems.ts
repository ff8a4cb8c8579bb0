// The pages that the `type` of a problem leads to, made from the error table.
import { Code } from "@connectrpc/connect";
import { type ErrorRow, errorRows } from "../kernel/errors/error-table.ts";
import { Problem, problemBody } from "../transport/http/problem.ts";
import { codeBlock } from "./code-block.ts";
import { escapeHtml, type Page } from "./page.ts";
import { detailOf, problemExamples } from "./problem-examples.ts";

const exampleUrl = "https://assess.example";
const exampleRequestId = "0a4f1c8e-6d0b-4c55-9b0e-2f7d3c1a9e42";

/** A page for each reason, and one that lists them. */
export function problemPages(): Page[] {
  const pages = errorRows.map(problemPage);
  const items = errorRows.map(
    ({ code, title, httpStatus }) =>
      `<li><a href="problems/${code}"><code>${code}</code></a>: ${inline(title)}${httpStatus === undefined ? "" : ` (${httpStatus})`}</li>`,
  );
  const body = `<p>Every error has a code. Its page says when it occurs, and what to do.</p><ul>${items.join("\n")}</ul>`;
  return [{ path: "problems", title: "Problems", body, sections: [] }, ...pages];
}

function problemPage(row: ErrorRow): Page {
  const { code, reason, httpStatus, grpcCode, title, when, remedy } = row;
  const rows: readonly [string, string][] = [
    ["When", inline(when)],
    ["What to do", inline(remedy)],
    ["Code", `<code>${code}</code>`],
    ["HTTP status", httpStatus === undefined ? "does not occur" : String(httpStatus)],
    ["gRPC status", grpcCode === undefined ? "does not occur" : `${Code[grpcCode]}, reason <code>${reason}</code>`],
  ];
  const list = `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("\n")}</dl>`;
  const text = `${when} ${remedy}`.replaceAll("`", "");
  return {
    path: `problems/${code}`,
    title,
    body: `${list}${example(row)}`,
    sections: [{ anchor: "", heading: code, depth: 1, text }],
    kind: "problem",
  };
}

function example({ code }: ErrorRow): string {
  const given = problemExamples[code];
  if (given === undefined) return "";
  const { request, violations = [], members = {} } = given;
  const body = problemBody(new Problem(code, detailOf(code), { violations, members }), exampleUrl, exampleRequestId);
  const sent = request === undefined ? "" : codeBlock(request, "sh");
  return `<h2>For example</h2>${sent}${codeBlock(JSON.stringify(JSON.parse(body), null, 2), "json")}`;
}

/** Text of the table, whose only markup is code. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
