// The request collection, written from the OpenAPI document: a request for every operation, in an order in which each finds
// what it needs.
import type { OpenAPIV3_1 } from "openapi-types";

/** A request of the collection. `{{name}}` in it is a variable. */
export interface CollectedRequest {
  readonly folder: string;
  /** Its name in the tables below. */
  readonly key: string;
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly json: string | undefined;
  /** A form, which goes without a token. */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** Variables that later requests take from the response, and where they stand in it. */
  readonly taken: Readonly<Record<string, string>>;
  /** Whether the response has the questions that later requests answer. */
  readonly isAnswered: boolean;
  /** What the response says where it is no success, and why. */
  readonly refused: { readonly status: number; readonly reason: string } | undefined;
}

export interface Collection {
  readonly name: string;
  readonly folders: readonly string[];
  readonly requests: readonly CollectedRequest[];
  /** Of a service on this machine. */
  readonly variables: Readonly<Record<string, string>>;
}

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
  readonly key: string;
  readonly operationId: string;
  readonly name: string;
}

/** Requests before others: a completed session is not reopened, cancelled or answered by a persona. */
const before: Readonly<Record<string, Addition>> = {
  reopenSession: {
    key: "createOpenSession",
    operationId: "createSession",
    name: "Create a hosted session to reopen, link and cancel",
  },
  autofillSession: {
    key: "createSecondSession",
    operationId: "createSession",
    name: "Create the person's second session",
  },
};
/** Requests after others: with a second completed session there is a change. */
const after: Readonly<Record<string, Addition>> = {
  autofillSession: {
    key: "completeSecondSession",
    operationId: "completeSession",
    name: "Complete the person's second session",
  },
};

/** The sessions of requests whose session is not `id`. */
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
const refused: Readonly<Record<string, NonNullable<CollectedRequest["refused"]>>> = {
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
  createJoinCode: `{ "maxSessions": 30, "redirectUrl": "https://example.com/done" }`,
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
const client = { client_id: "{{clientId}}", client_secret: "{{clientSecret}}" };
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: { grant_type: "client_credentials", ...client },
  revokeToken: { token: "{{token}}", ...client },
};

/** Query parameters: events are there a moment after what they tell of. */
const queries: Readonly<Record<string, string>> = { listEvents: "?wait=10" };

/** What later requests take from the response, and where it stands there. */
const taken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issueToken: { token: "access_token" },
  createSession: { id: "sessionId" },
  createOpenSession: { openId: "sessionId" },
  createSecondSession: { secondId: "sessionId" },
  createGroup: { groupId: "groupId" },
  listEvents: { eventId: "events[0].id" },
  createWebhookEndpoint: { endpointId: "endpoint.endpointId" },
};

const variables = {
  url: "http://127.0.0.1:8080",
  product: "values-bridge",
  // Of its own: the collection erases the person at its end.
  externalId: "collection-1",
  // Nobody listens there; the response of the test says so.
  webhookUrl: "http://127.0.0.1:9999/webhooks",
  clientId: "",
};

/** The collection of all operations. */
export function requestCollection({ paths = {} }: OpenAPIV3_1.Document): Collection {
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
      const own = { ...place, folder, key: operationId, operationId, name: summary.replace(/\.$/, "") };
      const placeAddition = (addition: Addition | undefined) => {
        const like = operations.find((each) => each.operation.operationId === addition?.operationId);
        return addition === undefined || like === undefined ? [] : [{ ...like, ...addition, folder }];
      };
      return [...placeAddition(before[operationId]), own, ...placeAddition(after[operationId])];
    });
  return { name: "Partner Assessment Service", folders, requests: requests.map(collected), variables };
}

function isLast({ operation }: { readonly operation: OpenAPIV3_1.OperationObject }): boolean {
  return last.includes(operation.operationId ?? "");
}

interface Placed extends Addition {
  readonly folder: string;
  readonly method: string;
  readonly path: string;
}

function collected({ folder, key, operationId, name, method, path }: Placed): CollectedRequest {
  const ofSession = path.replaceAll("{id}", `{${sessions[key] ?? "id"}}`);
  return {
    folder,
    key,
    name,
    method,
    url: `{{url}}${ofSession.replaceAll(/\{(\w+)\}/g, "{{$1}}")}${queries[key] ?? ""}`,
    json: bodies[key] ?? bodies[operationId],
    form: forms[key],
    taken: taken[key] ?? {},
    isAnswered: key === "createSession",
    refused: refused[key],
  };
}
