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

/** Operations that end something, or read what another one keeps, after all others of their folder. */
const last: readonly string[] = [
  "cancelSession",
  "closeGroup",
  "getGroupNumbers",
  "eraseSubject",
  "getIntention",
  "revokeReportLinks",
  "deleteWebhookEndpoint",
];

/** A further request of an operation, for another that needs a session of its own. */
interface Addition {
  /** Name of the file. */
  readonly file: string;
  readonly operationId: string;
  readonly name: string;
}

/** Requests before others: a completed session is not reopened, cancelled or answered by a persona. */
const before: Readonly<Record<string, Addition>> = {
  reopenSession: {
    file: "createOpenSession",
    operationId: "createSession",
    name: "Create a hosted session to reopen, link and cancel",
  },
  autofillSession: {
    file: "createSecondSession",
    operationId: "createSession",
    name: "Create the person's second session",
  },
};
/** Requests after others: with a second completed session there is a change. */
const after: Readonly<Record<string, Addition>> = {
  autofillSession: {
    file: "completeSecondSession",
    operationId: "completeSession",
    name: "Complete the person's second session",
  },
};

/** The sessions of files whose session is not `id`. */
const sessions: Readonly<Record<string, string>> = {
  createOpenSession: "openId",
  reopenSession: "openId",
  createSessionLink: "openId",
  cancelSession: "openId",
  createSecondSession: "secondId",
  autofillSession: "secondId",
  completeSecondSession: "secondId",
};

/** What the response says where it is no success, and why. */
const refused: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  getTeamReport: { status: 409, reason: "A group has a report from five people on; this one has none." },
};

/** Bodies; `{{name}}` is a variable, which an earlier request may have set. */
const bodies: Readonly<Record<string, string>> = {
  createSession: `{ "subject": { "externalId": "{{externalId}}" } }`,
  createOpenSession: `{ "mode": "hosted", "redirectUrl": "https://example.com/done" }`,
  recordAnswers: `{ "answers": {{answers}} }`,
  completeSession: `{ "answers": {{answers}}, "requireAnswered": true }`,
  completeSecondSession: `{}`,
  createGroup: `{ "label": "Team North" }`,
  createReportLink: `{ "expiresInSeconds": 86400 }`,
  setIntention: `{ "step": "Call one person just to hear how they are" }`,
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
  createOpenSession: { openId: "res.body.sessionId" },
  createSecondSession: { secondId: "res.body.sessionId" },
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
  // Nobody listens there; the response of the test says so.
  webhookUrl: "http://127.0.0.1:9999/webhooks",
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
  const requests = operations
    .toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)))
    .flatMap(({ operation, ...place }) => {
      const { operationId = "", tags: [tag = ""] = [], summary = "" } = operation;
      const folder = folderOf[operationId] ?? tag;
      const own = { ...place, folder, file: operationId, operationId, name: summary.replace(/\.$/, "") };
      const placed = (addition: Addition | undefined) => {
        const like = operations.find((each) => each.operation.operationId === addition?.operationId);
        return addition === undefined || like === undefined ? [] : [{ ...like, ...addition, folder }];
      };
      return [...placed(before[operationId]), own, ...placed(after[operationId])];
    });
  const files = requests.map((parts, index): [string, string] => [
    `${home}/${parts.folder}/${parts.file}.bru`,
    request({ ...parts, sequence: index + 1 }),
  ]);
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

function isLast({ operation }: { readonly operation: OpenAPIV3_1.OperationObject }): boolean {
  return last.includes(operation.operationId ?? "");
}

interface RequestParts extends Addition {
  readonly method: string;
  readonly path: string;
  readonly sequence: number;
}

function request({ file, operationId, name, method, path, sequence }: RequestParts): string {
  const body = bodies[file] ?? bodies[operationId];
  const form = forms[file];
  const kind = body === undefined ? (form === undefined ? "none" : "formUrlEncoded") : "json";
  const ofSession = path.replaceAll("{id}", `{${sessions[file] ?? "id"}}`);
  const { status, reason } = refused[file] ?? {};
  return blocks([
    block("meta", pairs({ name, type: "http", seq: String(sequence) })),
    block(
      method,
      pairs({
        url: `{{url}}${ofSession.replaceAll(/\{(\w+)\}/g, "{{$1}}")}${queries[file] ?? ""}`,
        body: kind,
        auth: form === undefined ? "inherit" : "none",
      }),
    ),
    ...(form === undefined ? [] : [block("body:form-urlencoded", form)]),
    ...(body === undefined ? [] : [block("body:json", [body])]),
    ...(taken[file] === undefined ? [] : [block("vars:post-response", pairs(taken[file]))]),
    block("assert", [`res.status: ${status === undefined ? "lt 300" : `eq ${status}`}`]),
    ...(file === "createSession" ? [block("script:post-response", answering)] : []),
    ...(reason === undefined ? [] : [block("docs", [reason])]),
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
