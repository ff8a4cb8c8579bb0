// The pages that the `type` of a problem leads to, made from the error table.
import { Code } from "@connectrpc/connect";
import { type ErrorRow, errorRows } from "../kernel/errors/error-table.ts";
import { codeBlock } from "./code-block.ts";
import { inline, type Page, type PageSource } from "./page.ts";
import { problemExamples, problemText } from "./problem-examples.ts";

/** A page for each reason, and one that lists them. */
export function problemPages(): PageSource[] {
  const pages = errorRows.map((row) => ({ path: `problems/${row.code}`, make: () => problemPage(row) }));
  return [{ path: "problems", make: listPage }, ...pages];
}

function listPage(): Page {
  const items = errorRows.map(
    ({ code, title, httpStatus }) =>
      `<li><a href="problems/${code}"><code>${code}</code></a>: ${inline(title)}${httpStatus === undefined ? "" : ` (${httpStatus})`}</li>`,
  );
  const body = `<p>Every error has a code. Its page says when it occurs, and what to do.</p><ul>${items.join("\n")}</ul>`;
  return { path: "problems", title: "Problems", body, sections: [] };
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
  const sent = given.request === undefined ? "" : codeBlock(given.request, "sh");
  return `<h2>For example</h2>${sent}${codeBlock(problemText(code), "json")}`;
}
