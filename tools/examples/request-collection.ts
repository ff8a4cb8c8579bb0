// The request collection for Bruno (https://www.usebruno.com), written from the OpenAPI document: a request for every
// operation, in an order in which each finds what it needs.
import type { OpenAPIV3_1 } from "openapi-types";

/** Folder of the collection. */
const home = "examples/bruno";

/** Folders by tag, in their order; the tags of tokens stand at both ends. */
const folders = [
  "Begin",
  "Sessions",
  "Sandbox",
  "Reports",
  "Subjects",
  "Norms",
  "Groups",
  "Assessments",
  "Events",
  "Webhooks",
  "Exports",
  "Audit",
  "End",
];
const folderOf: Readonly<Record<string, string>> = { issueToken: "Begin", revokeToken: "End" };

/** Operations that end something, after all others of their folder. */
const last: readonly string[] = [
  "closeGroup",
  "getGroupNumbers",
  "eraseSubject",
  "revokeReportLinks",
  "deleteWebhookEndpoint",
];

/** Bodies; `{{name}}` is a variable, which an earlier request may have set. */
const bodies: Readonly<Record<string, string>> = {
  createSession: `{ "subject": { "externalId": "{{externalId}}" } }`,
  recordAnswers: `{ "answers": {{answers}} }`,
  completeSession: `{ "answers": {{answers}}, "requireAnswered": true }`,
  createGroup: `{ "label": "Team North" }`,
  createReportLink: `{ "expiresInSeconds": 86400 }`,
  createWebhookEndpoint: `{ "url": "{{webhookUrl}}", "types": ["session.completed", "session.scored"] }`,
  updateWebhookEndpoint: `{ "description": "from the request collection" }`,
  rotateWebhookSecret: `{ "overlapSeconds": 3600 }`,
  redeliverEvents: `{ "eventIds": ["{{eventId}}"] }`,
  replayEvents: `{}`,
  autofillSession: `{ "persona": "archetype-7" }`,
  setTestClock: `{}`,
};
const forms: Readonly<Record<string, readonly string[]>> = {
  issueToken: ["grant_type: client_credentials", "client_id: {{clientId}}", "client_secret: {{clientSecret}}"],
  revokeToken: ["token: {{token}}", "client_id: {{clientId}}", "client_secret: {{clientSecret}}"],
};

/** Query parameters: events are there a moment after what they tell of. */
const queries: Readonly<Record<string, string>> = { listEvents: "?wait=10" };

/** What later requests take from the response, as expressions of Bruno. */
const taken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: { token: "res.body.access_token" },
  createSession: { id: "res.body.sessionId" },
  createGroup: { groupId: "res.body.groupId" },
  listEvents: { eventId: "res.body.events[0].id" },
  createWebhookEndpoint: { endpointId: "res.body.endpoint.endpointId" },
};

/** Gives every question an answer; in your product, people do. */
const answering = [
  "const { questions } = res.getBody().assessment;",
  "const answers = questions.map(({ id, type }) => ({ questionId: id, response: { type, value: 1 + (id % 7) } }));",
  'bru.setVar("answers", JSON.stringify(answers));',
];

/** The environment of a service on this machine. */
const environment = {
  url: "http://127.0.0.1:8080",
  product: "values-bridge",
  // Of its own: the collection erases the person at its end.
  externalId: "collection-1",
  webhookUrl: "https://example.com/webhooks",
  clientId: "",
};

/** Every file of the collection, by its path in the repository. */
export function requestCollection({ paths = {} }: OpenAPIV3_1.Document): ReadonlyMap<string, string> {
  const operations = Object.entries(paths).flatMap(([path, item = {}]) =>
    (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
  const files = operations.map(({ path, method, operation }, index): [string, string] => {
    const { operationId = "", tags: [tag = ""] = [], summary = "" } = operation;
    const name = summary.replace(/\.$/, "");
    const file = `${home}/${folderOf[operationId] ?? tag}/${operationId}.bru`;
    const sequence = index + 1 + (last.includes(operationId) ? operations.length : 0);
    return [file, request({ id: operationId, name, method, path, sequence })];
  });
  return new Map([
    [`${home}/bruno.json`, `${JSON.stringify(collection, null, 2)}\n`],
    [`${home}/collection.bru`, blocks([block("auth", ["mode: bearer"]), block("auth:bearer", ["token: {{token}}"])])],
    [`${home}/environments/local.bru`, blocks([block("vars", pairs(environment)), "vars:secret [\n  clientSecret\n]"])],
    ...folders.map((name, index): [string, string] => [
      `${home}/${name}/folder.bru`,
      blocks([block("meta", pairs({ name, seq: String(index + 1) }))]),
    ]),
    ...files,
  ]);
}

const collection = { version: "1", name: "Partner Assessment Service", type: "collection" };

interface RequestParts {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly sequence: number;
}

function request({ id, name, method, path, sequence }: RequestParts): string {
  const body = bodies[id];
  const form = forms[id];
  const kind = body === undefined ? (form === undefined ? "none" : "formUrlEncoded") : "json";
  return blocks([
    block("meta", pairs({ name, type: "http", seq: String(sequence) })),
    block(
      method,
      pairs({
        url: `{{url}}${path.replaceAll(/\{(\w+)\}/g, "{{$1}}")}${queries[id] ?? ""}`,
        body: kind,
        auth: form === undefined ? "inherit" : "none",
      }),
    ),
    ...(form === undefined ? [] : [block("body:form-urlencoded", form)]),
    ...(body === undefined ? [] : [block("body:json", [body])]),
    ...(taken[id] === undefined ? [] : [block("vars:post-response", pairs(taken[id]))]),
    ...(id === "createSession" ? [block("script:post-response", answering)] : []),
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
