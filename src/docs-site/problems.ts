// The pages that the `type` of a problem leads to, made from the error table: when it occurs, what to do, and an example of a
// refused request with its response. A test sends every request and compares the responses with the examples.
import { Code } from "@connectrpc/connect";
import { details, specificDetails } from "../kernel/errors/details.ts";
import { type ErrorCode, type ErrorRow, errorRows } from "../kernel/errors/error-table.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import type { Violation } from "../kernel/errors/violation.ts";
import { problemOf } from "../transport/http/problem.ts";
import { codeBlock } from "./code-block.ts";
import { inline, type Page, type PageSource } from "./page.ts";

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

export interface ProblemExample {
  /** Undefined if the same request succeeds at other times. */
  readonly request?: string;
  /** Unset: the default text of the code. */
  readonly detail?: string;
  readonly violations?: readonly Violation[];
  readonly facts?: Readonly<Record<string, string>>;
}

const sessions = '"$PAS_URL/v1/values-bridge/sessions"';
const token = '-H "Authorization: Bearer $TOKEN"';
const json = "-H 'Content-Type: application/json'";

/** By code; a reason without an example does not occur over REST. */
export const problemExamples: Readonly<Partial<Record<ErrorCode, ProblemExample>>> = {
  malformed_request: {
    request: `curl -sS ${sessions} \\
  ${token} ${json} \\
  -d '{"subject": '`,
    detail: "The body is not JSON: see line 1, column 13.",
  },
  unauthenticated: {
    request: `curl -sS ${sessions} \\
  -H 'Authorization: Bearer nonsense' ${json} -d '{}'`,
  },
  permission_denied: {
    request: `curl -sS -X DELETE "$PAS_URL/v1/values-bridge/subjects/user-42" \\
  -H "Authorization: Bearer $READ_ONLY_TOKEN"`,
    detail: specificDetails.lacksScope("subjects:delete"),
  },
  not_found: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/subjects/nobody/results" ${token}`,
  },
  method_not_allowed: {
    request: `curl -sS -X PUT ${sessions} ${token}`,
    detail: "Allowed here: GET, HEAD, POST.",
  },
  request_timeout: {},
  session_completed: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/sessions/$COMPLETED_ID/answers" ${token} ${json} \\
  -d '{"answers": [{"questionId": 1001, "response": {"type": "likert", "value": 7}}]}'`,
  },
  conflict: {},
  payload_too_large: {
    request: `head -c 1100000 /dev/zero | curl -sS ${sessions} ${token} ${json} --data-binary @-`,
    detail: "The body of this request has at most 1048576 bytes.",
  },
  uri_too_long: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/subjects/$(head -c 5000 /dev/zero | tr '\\0' x)/results" ${token}`,
    detail: "A path segment has at most 4096 characters.",
  },
  unsupported_media_type: {
    request: `curl -sS ${sessions} ${token} -d '{"subject": {"externalId": "user-42"}}'`,
  },
  invalid_request: {
    request: `curl -sS ${sessions} \\
  ${token} ${json} \\
  -d '{"subject": {"externalId": 42}, "mod": "hosted"}'`,
    violations: [
      {
        path: ["mod"],
        code: "unknown_member",
        detail: "There is no such member here. Did you mean `mode`?",
      },
      { path: ["subject", "externalId"], code: "wrong_type", detail: "Must be of type string." },
    ],
  },
  idempotency_key_reused: {
    request: `for person in user-1 user-2; do
  curl -sS ${sessions} ${token} ${json} \\
    -H 'Idempotency-Key: order-42' -d "{\\"subject\\": {\\"externalId\\": \\"$person\\"}}"
done`,
  },
  rate_limited: {},
  headers_too_large: {
    request: `curl -sS "$PAS_URL/v1/events" -H "X-Long: $(head -c 20000 /dev/zero | tr '\\0' x)"`,
  },
  internal: {},
  unavailable: {},
  deadline_exceeded: {},
  events_expired: { facts: { oldest: "1042" } },
  not_acceptable: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/subjects/user-42/report?format=docx" ${token}`,
    detail: "A report can be had as json, html, pdf, svg, png.",
  },
  endpoint_exists: {
    facts: { endpointId: "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e" },
  },
  endpoint_disabled: {},
  replay_running: {},
  limit_reached: { detail: "A partner has at most 16 webhook endpoints." },
  webhooks_off: {},
  group_closed: {},
  numbers_withheld: { facts: { withheld: "open" } },
  hosted_off: {},
};

const exampleUrl = "https://assess.example";
const exampleRequestId = "0a4f1c8e-6d0b-4c55-9b0e-2f7d3c1a9e42";

/** A problem of the code, as formatted JSON. */
export function problemText(code: ErrorCode): string {
  const general: Readonly<Partial<Record<ErrorCode, string>>> = details;
  const { detail = general[code] ?? "", ...options } = problemExamples[code] ?? {};
  const { body } = problemOf(new Refusal(code, detail, options), exampleUrl, exampleRequestId);
  return JSON.stringify(JSON.parse(body), null, 2);
}
