// The reference of the REST interface: a page for each group of operations, from the OpenAPI document.
import { type ErrorCode, errorRows } from "../../kernel/errors/error-table.ts";
import { headingOf, sectionsOf } from "../markdown.ts";
import { escapeHtml, type Page, rootFrom } from "../page.ts";
import { type ApiDocument, operationsOf, type Parameter, type PlacedOperation } from "./api-document.ts";
import { codeSampleBlocks } from "./code-samples.ts";
import { resolve, type SchemaRow, schemaRows } from "./schema-rows.ts";

/** Every page of the reference. */
export function referencePages(document: ApiDocument): Page[] {
  const operations = operationsOf(document);
  const names = [...new Set(operations.flatMap(({ tags }) => tags))];
  return names.map((name) => {
    const path = `docs/reference/${name.toLowerCase()}`;
    const tag = document.tags.find((each) => each.name === name);
    const own = operations.filter(({ tags }) => tags.includes(name));
    const parts = own.map((operation) => operationPart(operation, document, rootFrom(path)));
    const body = `<p>${escapeHtml(tag?.description ?? "")}</p>\n${parts.join("\n")}`;
    return { path, title: name, body, sections: sectionsOf(body) };
  });
}

function operationPart(operation: PlacedOperation, document: ApiDocument, root: string): string {
  const {
    operationId,
    summary,
    description = "",
    method,
    path,
    parameters = [],
    requestBody,
    security = [],
  } = operation;
  const scopes = security.flatMap((each) => Object.values(each).flat());
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    headingOf(2, operationId, escapeHtml(summary.replace(/\.$/, ""))),
    `<p class="address"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></p>`,
    ...description.split("\n\n").map((paragraph) => `<p>${inline(paragraph)}</p>`),
    scopes.length === 0 ? "" : `<p>Scope: <code>${scopes.join("</code>, <code>")}</code></p>`,
    codeSampleBlocks(operation),
    parameters.length === 0
      ? ""
      : rowsTable(
          "Parameters",
          parameters.map((each) => parameterRow(each, document)),
        ),
    body === undefined ? "" : rowsTable("Body", schemaRows(body, document)),
    ...answers(operation, document),
    errors(operation, root),
  ].join("\n");
}

function parameterRow(
  { name, in: place, required = false, description = "", schema }: Parameter,
  document: ApiDocument,
): SchemaRow {
  const [row] = schemaRows({ properties: { [name]: schema } }, document);
  const text = [description, row?.description ?? ""].filter((each) => each !== "").join(" ");
  return { name, type: `${row?.type ?? "string"}, ${place}`, isRequired: required, description: text };
}

function answers({ responses }: PlacedOperation, document: ApiDocument): string[] {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return good.map(([status, { description, content = {} }]) => {
    const schema = content["application/json"]?.schema;
    const rows = schema === undefined ? [] : schemaRows(resolve(schema, document), document);
    const title = `<h3>${status}</h3><p>${inline(description)}</p>`;
    return rows.length === 0 ? title : `${title}<details><summary>Members</summary>${table(rows)}</details>`;
  });
}

function errors({ responses }: PlacedOperation, root: string): string {
  const text = Object.values(responses)
    .map(({ description }) => description)
    .join("\n");
  const codes = errorRows.filter(({ code }) => text.includes(`\`${code}\``)).map(({ code }) => code);
  const link = (code: ErrorCode) => `<a href="${root}problems/${code}"><code>${code}</code></a>`;
  return `<p class="errors">Errors: ${codes.map(link).join(", ")}.</p>`;
}

function rowsTable(title: string, rows: readonly SchemaRow[]): string {
  return rows.length === 0 ? "" : `<h3>${title}</h3>${table(rows)}`;
}

function table(rows: readonly SchemaRow[]): string {
  const lines = rows.map(({ name, type, isRequired, description }) => {
    const need = isRequired ? " <em>required</em>" : "";
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(type)}${need}</td><td>${inline(description)}</td></tr>`;
  });
  const head = '<tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>';
  return `<div class="scroll" tabindex="0" role="group" aria-label="Members"><table><thead>${head}</thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

/** Text of the document, whose only markup is code. */
function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
