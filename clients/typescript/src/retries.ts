// Calls that found the service busy or away are sent again, after the time that it asks for.
import { clone, isMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { CreateGroupRequestSchema, GroupService } from "../gen/assessment/v1/group_service_pb.ts";
import { CreateSessionRequestSchema } from "../gen/assessment/v1/session_service_pb.ts";
import { WebhookService } from "../gen/assessment/v1/webhook_service_pb.ts";
import { RetryInfoSchema } from "../gen/google/rpc/error_details_pb.ts";

/** What differs from one call to the next though all is asked alike. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  /** A new idempotency key. */
  readonly makeKey: () => string;
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Gives each session and group that is made a key of its own, unless the caller did: then repeating it makes no second. */
export function addIdempotencyKeys(makeKey: () => string): Interceptor {
  return (next) => (request) => {
    if (request.stream) return next(request);
    for (const schema of [CreateSessionRequestSchema, CreateGroupRequestSchema]) {
      if (!isMessage(request.message, schema) || request.message.idempotencyKey !== undefined) continue;
      // The caller's message stays as it is: sent again, it asks for another session.
      return next({
        ...request,
        message: Object.assign(clone(schema, request.message), { idempotencyKey: makeKey() }),
      });
    }
    return next(request);
  };
}

/**
 * None takes an idempotency key, and a secret is told once: a second rotation would end the secret that the first one
 * left alive, a second endpoint would leave the first one with a secret that nobody has, and a second join code ends the first.
 */
const sentOnce: readonly unknown[] = [
  WebhookService.method.rotateWebhookSecret,
  WebhookService.method.createWebhookEndpoint,
  GroupService.method.createJoinCode,
];

export function repeatCalls(
  maxAttempts: number,
  { now, random, wait }: Pick<Circumstances, "now" | "random" | "wait">,
): Interceptor {
  return (next) => async (request) => {
    const endsAt = now() + Number(request.header.get("connect-timeout-ms") ?? Number.POSITIVE_INFINITY);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(request);
      } catch (error) {
        const failure = failureOf(error);
        const pauseMs = pauseAfter(failure, attempt, random);
        const isLast = attempt >= maxAttempts || sentOnce.includes(request.method);
        // Where the time of the call would be over first, the caller hears why at once, and not that it is over.
        if (isLast || pauseMs === undefined || now() + pauseMs >= endsAt) throw failure;
        await wait(pauseMs, request.signal);
      }
    }
  };
}

/** `fetch` throws a TypeError if no response comes, whose cause says why. */
function failureOf(error: unknown): ConnectError {
  const failure = ConnectError.from(error);
  if (!(failure.cause instanceof TypeError)) return failure;
  const { cause } = failure.cause;
  const message = cause instanceof Error ? `${failure.rawMessage}: ${cause.message}` : failure.rawMessage;
  return new ConnectError(message, Code.Unavailable, undefined, undefined, failure.cause);
}

/** Undefined: repeating the call would not help. */
function pauseAfter(failure: ConnectError, attempt: number, random: () => number): number | undefined {
  const asked = failure.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds ?? failure.metadata.get("retry-after");
  // A message that is too large exhausts resources as well, and no pause is asked for.
  const isRepeatable = failure.code === Code.Unavailable || (failure.code === Code.ResourceExhausted && asked !== null);
  if (!isRepeatable) return undefined;
  const leastMs = 1000 * (Number(asked) || 2 ** (attempt - 1));
  // Clients that were refused together come back apart.
  return leastMs * (1 + random() / 2);
}
