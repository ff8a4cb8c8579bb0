// A collection as files for Bruno.
import { answering, type CollectedRequest, type Collection } from "./request-collection.ts";

/** What ends something has a number behind all that may still be added before. */
const firstOfLast = 100;

/** The files, by their paths in the folder. */
export function brunoCollection({ name, folders, requests, variables }: Collection): [path: string, text: string][] {
  const json = { version: "1", name, type: "collection" };
  return [
    ["bruno.json", `${JSON.stringify(json, null, 2)}\n`],
    ["collection.bru", blocks([block("auth", ["mode: bearer"]), block("auth:bearer", ["token: {{token}}"])])],
    ["environments/local.bru", blocks([block("vars", pairs(variables)), "vars:secret [\n  clientSecret\n]"])],
    ...folders.map((folder, index): [string, string] => [
      `${folder}/folder.bru`,
      blocks([block("meta", pairs({ name: folder, seq: String(index + 1) }))]),
    ]),
    ...folders.flatMap((folder) =>
      [false, true].flatMap((isLast) => {
        const own = requests.filter((request) => request.folder === folder && request.isLast === isLast);
        return own.map((request, index): [string, string] => [
          `${folder}/${request.file}.bru`,
          text(request, index + (isLast ? firstOfLast : 1)),
        ]);
      }),
    ),
  ];
}

function text({ name, method, url, json, form, taken, isAnswered, refused }: CollectedRequest, number: number): string {
  const body = json === undefined ? (form === undefined ? "none" : "formUrlEncoded") : "json";
  const places = Object.entries(taken).map(([variable, place]) => `${variable}: res.body.${place}`);
  return blocks([
    block("meta", pairs({ name, type: "http", seq: String(number) })),
    block(method, pairs({ url, body, auth: form === undefined ? "inherit" : "none" })),
    ...(form === undefined ? [] : [block("body:form-urlencoded", pairs(form))]),
    ...(json === undefined ? [] : [block("body:json", [json])]),
    ...(places.length === 0 ? [] : [block("vars:post-response", places)]),
    block("assert", [`res.status: ${refused === undefined ? "lt 300" : `eq ${refused.status}`}`]),
    ...(isAnswered ? [block("script:post-response", answering("res.getBody()", "bru.setVar"))] : []),
    ...(refused === undefined ? [] : [block("docs", [refused.reason])]),
  ]);
}

function pairs(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${value}`);
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

function blocks(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
