// The reference of the REST interface: a page for each group of operations, from the OpenAPI document.
import { errorRows } from "../../kernel/errors/error-table.ts";
import { codeBlock } from "../code-block.ts";
import { headingOf, sectionsOf } from "../markdown.ts";
import { escapeHtml, inline, type Page, type PageSource, rootFrom } from "../page.ts";
import { problemText } from "../problems.ts";
import {
  type ApiDocument,
  type ApiResponse,
  operationsOf,
  type Parameter,
  type PlacedOperation,
  resolve,
  type Schema,
} from "./api-document.ts";
import { codeSampleBlocks } from "./code-samples.ts";
import { type SchemaRow, schemaRows } from "./schema-rows.ts";

/** Every page of the reference, by its title. */
export function referencePages(document: ApiDocument): (PageSource & { readonly title: string })[] {
  const operations = operationsOf(document);
  const titles = [...new Set(operations.flatMap(({ tags }) => tags))];
  return titles.map((title) => {
    const path = `docs/reference/${title.toLowerCase()}`;
    const own = operations.filter(({ tags }) => tags.includes(title));
    return { path, title, make: () => referencePage(path, title, own, document) };
  });
}

function referencePage(
  path: string,
  title: string,
  operations: readonly PlacedOperation[],
  document: ApiDocument,
): Page {
  const tag = document.tags?.find(({ name }) => name === title);
  const setting = { document, root: rootFrom(path) };
  const parts = operations.map((operation) => operationPart(operation, setting));
  const body = `<p>${escapeHtml(tag?.description ?? "")}</p>\n${parts.join("\n")}`;
  return { path, title, body, sections: sectionsOf(body), kind: "reference" };
}

/** The context for every operation of a page. */
interface Setting {
  readonly document: ApiDocument;
  /** The relative path from the page to the service's root. */
  readonly root: string;
}

function operationPart(operation: PlacedOperation, setting: Setting): string {
  const { document } = setting;
  const { operationId, summary, description, method, path, parameters, scopes, body } = operation;
  return [
    headingOf(2, operationId, escapeHtml(summary.replace(/\.$/, ""))),
    `<p class="address"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></p>`,
    ...description.split("\n\n").map((paragraph) => `<p>${inline(paragraph)}</p>`),
    scopes.length === 0 ? "" : `<p>Scope: <code>${scopes.join("</code>, <code>")}</code></p>`,
    codeSampleBlocks(operation),
    ...rowsTable(
      "Parameters",
      parameters.map((each) => parameterRow(each, document)),
    ),
    ...(body === undefined ? [] : rowsTable("Body", schemaRows(resolve(body, document), document))),
    ...successes(operation, document),
    errors(operation, setting),
  ].join("\n");
}

function parameterRow(
  { name, in: place, required = false, description = "", schema }: Parameter,
  document: ApiDocument,
): SchemaRow {
  const [row] = schemaRows({ properties: { [name]: schema ?? {} } as NonNullable<Schema["properties"]> }, document);
  const text = [description, row?.description ?? ""].filter((each) => each !== "").join(" ");
  return { name, type: `${row?.type ?? "string"}, ${place}`, isRequired: required, description: text };
}

/** The success response: an example and its members. */
function successes({ responses }: PlacedOperation, document: ApiDocument): string[] {
  const good = [...responses].filter(([status]) => status < 400);
  return good.map(([status, { description, content = {} }]) => {
    const schema = content["application/json"]?.schema;
    const rows = schema === undefined ? [] : schemaRows(resolve<Schema>(schema, document), document);
    const members = rows.length === 0 ? "" : `<details><summary>Members</summary>${table(rows)}</details>`;
    const example = exampleIn(content);
    const shown =
      example === undefined ? bodyOf(content) : codeBlock(example, example.startsWith("{") ? "json" : "csv");
    return `<h3>${status}</h3><p>${inline(description)}</p>${shown}${members}`;
  });
}

/** The first example, formatted. */
function exampleIn(content: ApiResponse["content"] = {}): string | undefined {
  const example = Object.values(content).find((media) => media.example !== undefined)?.example;
  return example === undefined || typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

function bodyOf(content: object): string {
  const types = Object.keys(content).map((type) => `<code>${type}</code>`);
  return types.length === 0 ? "<p>It has no body.</p>" : `<p>Its body is ${types.join(" or ")}.</p>`;
}

/** The error responses: the name of each code, then an example. */
function errors({ responses }: PlacedOperation, { root }: Setting): string {
  const bad = [...responses].filter(([status]) => status >= 400);
  const items = bad.flatMap(([status, { description, content }]) => {
    const own = exampleIn(content);
    const rows = errorRows.filter(({ code }) => description.includes(`\`${code}\``));
    if (rows.length === 0) return [problem(status, inline(description), "", own ?? "")];
    return rows.map(({ code, title, remedy }) => {
      const link = `<a href="${root}problems/${code}">More on this problem</a>`;
      const body = code === "invalid_request" ? own : undefined;
      const name = `<code>${code}</code> <span>${inline(title)}</span>`;
      return problem(status, name, `<p>${inline(remedy)} ${link}</p>`, body ?? problemText(code));
    });
  });
  return `<h3>Errors</h3>${items.join("\n")}`;
}

function problem(status: number, name: string, text: string, body: string): string {
  return `<details class="problem"><summary>${status} ${name}</summary>${text}${codeBlock(body, "json")}</details>`;
}

function rowsTable(title: string, rows: readonly SchemaRow[]): string[] {
  return rows.length === 0 ? [] : [`<h3>${title}</h3>${table(rows)}`];
}

function table(rows: readonly SchemaRow[]): string {
  const lines = rows.map(({ name, type, isRequired, description }) => {
    const need = isRequired ? " <em>required</em>" : "";
    return `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(type)}${need}</td><td>${inline(description)}</td></tr>`;
  });
  const head = '<tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>';
  return `<div class="scroll" tabindex="0" role="group" aria-label="Members"><table><thead>${head}</thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}
