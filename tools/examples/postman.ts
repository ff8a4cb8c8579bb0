// A collection as the file that Postman and most others import: https://schema.getpostman.com, version 2.1.
import { answering, type CollectedRequest, type Collection } from "./request-collection.ts";

/** The text of the file. */
export function postmanCollection({ name, folders, requests, variables }: Collection): string {
  const document = {
    info: { name, schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: Object.entries({ ...variables, clientSecret: "" }).map(([key, value]) => ({ key, value })),
    item: folders.map((folder) => ({
      name: folder,
      item: requests.filter((request) => request.folder === folder).map(item),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function item({ name, method, url, json, form, taken, isAnswered, refused }: CollectedRequest): object {
  const set = "pm.collectionVariables.set";
  const kept = Object.entries(taken).map(([key, place]) => `${set}("${key}", pm.response.json().${place});`);
  const expected = refused === undefined ? "below(300)" : `eql(${refused.status})`;
  const script = [
    `pm.test("status", () => pm.expect(pm.response.code).to.be.${expected});`,
    ...kept,
    ...(isAnswered ? answering("pm.response.json()", set) : []),
  ];
  const urlencoded = Object.entries(form ?? {}).map(([key, value]) => ({ key, value }));
  return {
    name,
    event: [{ listen: "test", script: { type: "text/javascript", exec: script.join("\n") } }],
    request: {
      method: method.toUpperCase(),
      url,
      ...(refused === undefined ? {} : { description: refused.reason }),
      ...(json === undefined ? {} : { body: { mode: "raw", raw: json, options: { raw: { language: "json" } } } }),
      ...(form === undefined ? {} : { auth: { type: "noauth" }, body: { mode: "urlencoded", urlencoded } }),
    },
  };
}
