// Errors of the pipeline as problems. They look the same whether they come from this process or over the network.
import { Code, ConnectError } from "@connectrpc/connect";
import { errorDomain, errorRow, errorRows } from "../../contract/error-table.ts";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { Problem, type ProblemFault } from "../../http/problem.ts";

const realm = 'Bearer realm="partner-assessment-service"';

/** Members of a request that REST takes from the path, the query or a header. */
const outsideBody = new Set(["product", "session_id", "external_id", "version", "idempotency_key"]);

const unavailableRetryAfterSeconds = 1;

/** The problem that stands for an error of a call. What is not said by the core is not repeated: it is meant for us. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof ConnectError)) return new Problem("internal", "The service made a mistake.");
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === errorDomain);
  const facts = info?.metadata ?? {};
  const code = info === undefined ? codeOf(error.code) : errorRow(info.reason.toLowerCase()).code;
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  const faults = violations.map(({ field, reason, description }) => ({
    pointer: pointerOf(field),
    code: reason.toLowerCase(),
    detail: description,
  })) satisfies ProblemFault[];
  return new Problem(code, info === undefined ? `${errorRow(code).title}.` : error.rawMessage, {
    faults,
    isTruncated: facts.violations_truncated === "true",
    headers: headersOf(code, facts, retryAfterOf(error, code)),
  });
}

/** The answer to a missing token, or to one that is no good. */
export function unauthenticated(token: string | undefined): Problem {
  return token === undefined
    ? new Problem("unauthenticated", "No access token was sent.", { headers: { "www-authenticate": realm } })
    : new Problem("unauthenticated", "The access token is unknown, expired or revoked.", {
        headers: { "www-authenticate": `${realm}, error="invalid_token"` },
      });
}

/** The answer to a token that lacks a scope. */
export function insufficientScope(scope: string): Problem {
  const headers = headersOf("permission_denied", { scope }, undefined);
  return new Problem("permission_denied", "The access token lacks the scope that this operation requires.", {
    headers,
  });
}

function headersOf(
  code: string,
  facts: Readonly<Record<string, string>>,
  retryAfter: number | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  if (code === "unauthenticated") headers["www-authenticate"] = `${realm}, error="invalid_token"`;
  if (code === "permission_denied" && facts.scope) {
    headers["www-authenticate"] = `${realm}, error="insufficient_scope", scope="${facts.scope}"`;
  }
  if (code === "rate_limited" && facts.limit && facts.window) {
    headers["ratelimit-policy"] = `"default";q=${facts.limit};w=${facts.window}`;
    headers.ratelimit = `"default";r=0;t=${retryAfter ?? facts.window}`;
  }
  return headers;
}

function retryAfterOf(error: ConnectError, code: string): number | undefined {
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  if (delay === undefined) return code === "unavailable" ? unavailableRetryAfterSeconds : undefined;
  return Number(delay.seconds);
}

/** `answers[0].question_id` is `#/answers/0/questionId`. */
function pointerOf(field: string): string {
  const [first = ""] = field.split(/[.[]/);
  if (outsideBody.has(first)) return "#";
  const path = field.replace(/\[(\d+)\]/g, ".$1").replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `#/${path.replaceAll(".", "/")}`;
}

function codeOf(status: Code): string {
  if (status === Code.Canceled) return "deadline_exceeded";
  return errorRows.find((row) => row.grpcCode === status)?.code ?? "internal";
}
