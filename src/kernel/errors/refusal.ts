// Refusals: errors with a code of the error table. Every layer throws them; each transport has its own form of them.

import { clientSecretPrefix } from "../formats.ts";
import { isProduct, products } from "../ids.ts";
import { details } from "./details.ts";
import type { ErrorCode } from "./error-table.ts";
import { formatPointer, type Violation } from "./violation.ts";

/** An error that concerns the caller. It has no stack, which nobody reads: capturing one is a tenth of a refusal's cost. */
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
  /** Further values for programs, by name: the metadata of google.rpc.ErrorInfo. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The error behind it, for the log; no caller sees it. */
  readonly cause?: unknown;
}

export class Refusal extends ErrorWithoutStack {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly violations: readonly Violation[];
  readonly isTruncated: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: RefusalOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.violations = options.violations ?? [];
    this.isTruncated = options.isTruncated ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.metadata = options.metadata ?? {};
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
export function invalidRequestError(violations: readonly Violation[], options: RefusalOptions = {}): Refusal {
  return new Refusal("invalid_request", details.invalid_request, { ...options, violations });
}

/** The refusal of a request with one violation. @param path to the field; empty for the request as a whole */
export function invalidFieldError(path: Violation["path"], code: string, detail: string): Refusal {
  return invalidRequestError([{ path, code, detail }]);
}

/** Throws `invalid_request` if there is a violation. */
export function throwIfInvalid(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidRequestError(violations);
}

/**
 * The one refusal for everything that a caller may not know of: what does not exist, what belongs to another partner, and
 * what has no results yet look the same.
 */
export function notFoundError(): Refusal {
  return new Refusal("not_found", details.not_found);
}

/** The refusal for an unknown product. The products themselves are no secret. */
export function unknownProductError(): Refusal {
  return new Refusal("not_found", `There is no such product. There is: ${products.join(", ")}.`);
}

/** Texts that programs send when they have no id. */
const idPlaceholders: ReadonlySet<unknown> = new Set(["undefined", "null", "None", "nil", "NaN", "[object Object]"]);

/** The refusal for what an id names; it says so if the text is what a program writes for no id. */
export function notFoundByIdError(id: string): Refusal {
  if (!idPlaceholders.has(id)) return notFoundError();
  return new Refusal("not_found", `\`${id}\` is no id: the request was made before its id was known.`);
}

/** The error of a call; a `not_found` says if the product of the message is unknown, or an id in it none. */
export function explainNotFound<E extends Refusal | CallerGone>(error: E, message: unknown): E | Refusal {
  if (!(error instanceof Refusal) || error.message !== details.not_found) return error;
  const { product, ...fields } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof product === "string" && !isProduct(product)) return unknownProductError();
  const [, id] = Object.entries(fields).find(([name, value]) => /Id$/.test(name) && idPlaceholders.has(value)) ?? [];
  return id === undefined ? error : notFoundByIdError(String(id));
}

/**
 * The refusal of a call without a valid token.
 * @param token undefined: none was sent
 * @param authorization the value of the header, if there is one
 */
export function unauthenticatedError(token: string | undefined, authorization?: string): Refusal {
  if (token === undefined) {
    return new Refusal("unauthenticated", explainMissingToken(authorization?.trim()), {
      metadata: { token: "missing" },
    });
  }
  const isClientSecret = token.startsWith(clientSecretPrefix);
  const clientSecret = "This is a client secret, not an access token. Exchange it for one at /oauth/token.";
  return new Refusal("unauthenticated", isClientSecret ? clientSecret : details.unauthenticated);
}

function explainMissingToken(authorization = ""): string {
  if (authorization === "" || /^Bearer\b/i.test(authorization)) {
    return "No access token was sent. Send it as `Authorization: Bearer TOKEN`; no other header is read.";
  }
  if (/^Basic\b/i.test(authorization)) {
    return "`Authorization: Basic` is for /oauth/token, which exchanges a client's id and secret for an access token. Send that as `Authorization: Bearer TOKEN`.";
  }
  return "There is an `Authorization` header, without `Bearer` and a space before the token: send `Authorization: Bearer TOKEN`.";
}

/** The refusal of a call whose token lacks a scope. */
export function missingScopeError(scope: string): Refusal {
  const detail = `The access token lacks the scope \`${scope}\`, which this operation requires.`;
  return new Refusal("permission_denied", detail, { metadata: { scope } });
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

/** The end of a call: a success, a code of the error table, or a caller who left. */
export type Outcome = "ok" | "caller_gone" | ErrorCode;

/** The fault of a request, without its values. */
export interface LoggedViolation {
  /** Path to the member, as far as no name in it is the caller's text. */
  readonly pointer: string;
  readonly code: string;
}

/** The first violation of an error, if it has any. */
export function findViolation(error: Refusal | CallerGone): LoggedViolation | undefined {
  const first = error instanceof Refusal ? error.violations[0] : undefined;
  if (first === undefined) return undefined;
  const { path, code } = first;
  const own = code === "unknown_member" ? path.slice(0, -1) : code === "repeated_member" ? [] : path;
  return { pointer: formatPointer(own), code };
}

/** The outcome of a call that ended with an error. */
export function toOutcome(error: Refusal | CallerGone): Outcome {
  return error instanceof Refusal ? error.code : "caller_gone";
}

/** Trouble between a gateway and its core: not the caller's fault, and not in its power. */
export class CoreUnreachableError extends Error {
  override readonly name = "CoreUnreachableError";
  /** For the log: a code of Node or TLS, or the name of a gRPC status. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
