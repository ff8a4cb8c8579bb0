// The collection as the file that Postman, Bruno and most others import: https://schema.getpostman.com, version 2.1.
import type { CollectedRequest, Collection } from "./request-collection.ts";

const setVariable = "pm.collectionVariables.set";
/** Gives every question an answer; in your product, people do. */
const answerQuestions = [
  "const { questions } = pm.response.json().assessment;",
  "const answers = questions.map(({ id, type }) => ({ questionId: id, response: { type, value: 1 + (id % 7) } }));",
  `${setVariable}("answers", JSON.stringify(answers));`,
];

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
  const captures = Object.entries(taken).map(
    ([key, place]) => `${setVariable}("${key}", pm.response.json().${place});`,
  );
  const expected = refused === undefined ? "below(300)" : `eql(${refused.status})`;
  const script = [
    `pm.test("status", () => pm.expect(pm.response.code).to.be.${expected});`,
    ...captures,
    ...(isAnswered ? answerQuestions : []),
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
