// An example of each problem: a request that is refused, and what the service says. A test sends every request and
// holds the responses to this table.
import type { ErrorCode } from "../kernel/errors/error-table.ts";
import type { ProblemViolation } from "../transport/http/problem.ts";

export interface ProblemExample {
  /** Undefined if the same request succeeds at other times. */
  readonly request?: string;
  readonly detail: string;
  readonly violations?: readonly ProblemViolation[];
  readonly members?: Readonly<Record<string, string>>;
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
    detail: "The body is not JSON in UTF-8.",
  },
  unauthenticated: {
    request: `curl -sS ${sessions} \\
  -H 'Authorization: Bearer nonsense' ${json} -d '{}'`,
    detail: "The access token is unknown, expired or revoked.",
  },
  permission_denied: {
    request: `curl -sS -X DELETE "$PAS_URL/v1/values-bridge/subjects/user-42" \\
  -H "Authorization: Bearer $READ_ONLY_TOKEN"`,
    detail: "The access token lacks the scope that this operation requires.",
  },
  not_found: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/subjects/nobody/results" ${token}`,
    detail: "There is nothing here that this caller may see.",
  },
  method_not_allowed: {
    request: `curl -sS -X PUT ${sessions} ${token}`,
    detail: "Allowed here: GET, HEAD, POST.",
  },
  request_timeout: { detail: "The request was not received in time." },
  session_completed: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/sessions/$COMPLETED_ID/answers" ${token} ${json} \\
  -d '{"answers": [{"questionId": 1001, "response": {"type": "likert", "value": 7}}]}'`,
    detail: "The session is completed and takes no other answers.",
  },
  conflict: { detail: "Other writes to this session kept winning until the deadline." },
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
    detail: "Send the body as `Content-Type: application/json`.",
  },
  invalid_request: {
    request: `curl -sS ${sessions} \\
  ${token} ${json} \\
  -d '{"subject": {"externalId": 42}, "mod": "hosted"}'`,
    detail: "The request breaks a rule of the interface.",
    violations: [
      {
        pointer: "#/mod",
        code: "unknown_member",
        detail: "There is no such member here. Remove it, or correct its name.",
      },
      { pointer: "#/subject/externalId", code: "wrong_type", detail: "Must be of type string." },
    ],
  },
  idempotency_key_reused: {
    request: `for person in user-1 user-2; do
  curl -sS ${sessions} ${token} ${json} \\
    -H 'Idempotency-Key: order-42' -d "{\\"subject\\": {\\"externalId\\": \\"$person\\"}}"
done`,
    detail: "The idempotency key was used for another request.",
  },
  rate_limited: { detail: "The rate limit is used up. Wait for the time given, then go on." },
  headers_too_large: {
    request: `curl -sS "$PAS_URL/v1/events" -H "X-Long: $(head -c 20000 /dev/zero | tr '\\0' x)"`,
    detail: "Request line and headers have at most 16 KiB.",
  },
  internal: { detail: "The service made a mistake; the request id leads to its cause." },
  unavailable: { detail: "The service is busy. Try again in a second." },
  deadline_exceeded: { detail: "The deadline passed." },
  events_expired: { detail: "Events behind the cursor are no longer kept.", members: { oldest: "1042" } },
  not_acceptable: {
    request: `curl -sS "$PAS_URL/v1/values-bridge/subjects/user-42/report?format=docx" ${token}`,
    detail: "A report can be had as json, html, pdf, svg, png.",
  },
  endpoint_exists: {
    detail: "Another endpoint of the partner has this URL.",
    members: { endpointId: "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e" },
  },
  endpoint_disabled: { detail: "The endpoint is disabled: it would get nothing." },
  replay_running: { detail: "The endpoint has a replay that is not over yet." },
  limit_reached: { detail: "A partner has at most 16 webhook endpoints." },
  webhooks_off: { detail: "Webhooks are not set up at this service." },
};
