// Refusals: errors with a code of the error table. Every layer throws them; each transport has its own form of them.

import { clientSecretPrefix } from "../formats.ts";
import { isProduct, products } from "../ids.ts";
import { details, specificDetails } from "./details.ts";
import type { ErrorCode } from "./error-table.ts";
import { formatPointer, type Violation } from "./violation.ts";

/**
 * An error about the caller, not about the code that threw it. It has no stack: nobody reads it, and capturing one takes a
 * tenth of the time of a refusal.
 */
export class ErrorWithoutStack extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export interface RefusalOptions {
  readonly violations?: readonly Violation[];
  /** Whether violations were left out. */
  readonly isTruncated?: boolean;
  /** When a retry makes sense. */
  readonly retryAfterSeconds?: number | undefined;
  /** Further facts for programs, by name. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The error behind it, for the log; no caller sees it. */
  readonly cause?: unknown;
}

const noViolations: readonly Violation[] = [];
const noFacts: Readonly<Record<string, string>> = {};

export class Refusal extends ErrorWithoutStack {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  readonly isTruncated: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: RefusalOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.violations = options.violations ?? noViolations;
    this.isTruncated = options.isTruncated ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts ?? noFacts;
  }
}

/** The caller left before its request had arrived. It gets no response and is only counted. */
export class CallerGone extends ErrorWithoutStack {
  override readonly name = "CallerGone";

  constructor() {
    super("the caller left before its request had arrived");
  }
}

/** The refusal of a request with these violations. */
export function invalidRequest(
  violations: readonly Violation[],
  isTruncated = false,
  facts: RefusalOptions["facts"] = noFacts,
): Refusal {
  return new Refusal("invalid_request", details.invalid_request, { violations, isTruncated, facts });
}

/** Throws `invalid_request` if there is a violation. */
export function throwIfInvalid(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidRequest(violations);
}

/**
 * The one refusal for everything that a caller may not know of: what does not exist, what belongs to another partner, and
 * what has no results yet look the same.
 */
export function notFound(): Refusal {
  return new Refusal("not_found", details.not_found);
}

/** The refusal for an unknown product. The products themselves are no secret. */
export function unknownProductError(): Refusal {
  return new Refusal("not_found", specificDetails.unknownProduct(products));
}

/** Texts that programs write in the place of an id that they do not have. */
const idPlaceholders: ReadonlySet<unknown> = new Set(["undefined", "null", "None", "nil", "NaN", "[object Object]"]);

/** The refusal for what an id names; it says so if the text is what a program writes for no id. */
export function notFoundByIdError(id: string): Refusal {
  return idPlaceholders.has(id) ? new Refusal("not_found", specificDetails.noId(id)) : notFound();
}

/** The error of a call; a `not_found` says if the product of the message is unknown, or an id in it none. */
export function explainNotFound<E extends Refusal | CallerGone>(error: E, message: unknown): E | Refusal {
  if (!(error instanceof Refusal) || error.message !== details.not_found) return error;
  const { product, ...fields } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof product === "string" && !isProduct(product)) return unknownProductError();
  const [, id] = Object.entries(fields).find(([name, value]) => /Id$/.test(name) && idPlaceholders.has(value)) ?? [];
  return id === undefined ? error : notFoundByIdError(String(id));
}

/** The refusal for results of a session of the caller's own partner that is not completed. */
export function notReadyError(missing: "notCompleted" | "notScored"): Refusal {
  const reason = missing === "notCompleted" ? "session_not_completed" : "session_not_scored";
  return new Refusal("not_found", specificDetails[missing], { facts: { reason } });
}

/**
 * The refusal of a call with no valid token.
 * @param authorization the value that has no bearer token, if there is one
 */
export function unauthenticated(token: string | undefined, authorization?: string): Refusal {
  if (token === undefined) {
    const { noToken, noScheme, basic } = specificDetails;
    const header = authorization?.trim() ?? "";
    const detail = header === "" || /^Bearer\b/i.test(header) ? noToken : /^Basic\b/i.test(header) ? basic : noScheme;
    return new Refusal("unauthenticated", detail, { facts: { token: "missing" } });
  }
  const isClientSecret = token.startsWith(clientSecretPrefix);
  return new Refusal("unauthenticated", isClientSecret ? specificDetails.clientSecret : details.unauthenticated);
}

/** The refusal of client credentials. */
export function wrongClientError({ clientId }: { readonly clientId: string }): Refusal {
  const { exchanged: exchangedCredentials, wrongClient: detail } = specificDetails;
  return new Refusal("unauthenticated", clientId.startsWith(clientSecretPrefix) ? exchangedCredentials : detail);
}

/** The refusal of a call whose token lacks a scope. */
export function missingScopeError(scope: string): Refusal {
  return new Refusal("permission_denied", specificDetails.lacksScope(scope), { facts: { scope } });
}

/** The refusal of a request for a part of a session that its partner's policy has deleted. */
export function dataDeletedError(part: "answers" | "results"): Refusal {
  const detail = `A retention policy has deleted the ${part} that this is made of.`;
  return new Refusal("not_found", detail, { facts: { deleted: part } });
}

/** The deadline of the call or of the service passed. */
export function deadlineError(): Refusal {
  return new Refusal("deadline_exceeded", details.deadline_exceeded);
}

/**
 * The error as callers may see it. Refusals keep their text. Anything else becomes `internal` with a fixed text, and the
 * error as its cause for the log.
 */
export function toRefusal(error: unknown): Refusal | CallerGone {
  if (error instanceof Refusal || error instanceof CallerGone) return error;
  return new Refusal("internal", details.internal, { cause: error });
}

/** How a call ended: successfully, with a code of the error table, or because its caller left. */
export type Outcome = "ok" | "caller_gone" | ErrorCode;

/** The fault of a request, without its values. */
export interface LoggedViolation {
  /** Path to the member, as far as no name in it is the caller's text. */
  readonly pointer: string;
  readonly code: string;
}

/** The first violation of an error, if it has any. */
export function findViolation(error: unknown): LoggedViolation | undefined {
  const first = error instanceof Refusal ? error.violations[0] : undefined;
  if (first === undefined) return undefined;
  const { path, code } = first;
  const own = code === "unknown_member" ? path.slice(0, -1) : code === "repeated_member" ? [] : path;
  return { pointer: formatPointer(own), code };
}

/** The outcome of a call. @param error that it ended with; undefined for a success */
export function toOutcome(error: unknown): Outcome {
  if (error === undefined) return "ok";
  if (error instanceof CallerGone) return "caller_gone";
  return error instanceof Refusal ? error.code : "internal";
}

/** Trouble between a gateway and its core: not the caller's fault, and not in its power. */
export class CoreUnreachableError extends Error {
  override readonly name = "CoreUnreachableError";
  /** For the log: a code of Node or TLS, or the name of a gRPC status. */
  readonly code: string | undefined;

  constructor(what: string, code: string | undefined, cause: unknown) {
    super(what, { cause });
    this.code = code;
  }
}
