// Tells of every call that went through the pipeline: the outermost interceptor, so that refused calls are seen too.
import { Code, type ConnectError, type Interceptor } from "@connectrpc/connect";
import { callOrigin, type Door } from "../../contract/call-origin.ts";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { callPrincipal } from "../pipeline/call-context.ts";
import { toConnectError } from "../pipeline/errors.ts";

/** What is known of a call when it is over. Nothing in it is secret or personal. */
export interface CallEvent {
  /** For example `SessionService/CreateSession`. */
  readonly rpc: string;
  readonly door: Door;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly clientId: string | undefined;
  readonly partnerId: string | undefined;
  /** `ok`, or the code of the error table. */
  readonly outcome: string;
  readonly seconds: number;
  /** What went wrong, where the outcome is the service's own fault. */
  readonly cause: unknown;
}

/** Reports each call to the observer. @param now seconds of a clock that never steps */
export function observe(observer: (event: CallEvent) => void, now: () => number): Interceptor {
  return (next) => async (request) => {
    const start = now();
    const report = (outcome: string, cause: unknown) => {
      const origin = request.contextValues.get(callOrigin);
      const principal = request.contextValues.get(callPrincipal);
      observer({
        rpc: `${request.service.name}/${request.method.name}`,
        door: origin?.door ?? "internal",
        requestId: origin?.requestId ?? "",
        traceparent: origin?.traceparent,
        clientId: principal?.clientId,
        partnerId: principal?.partnerId,
        outcome,
        seconds: now() - start,
        cause,
      });
    };
    try {
      const response = await next(request);
      report("ok", undefined);
      return response;
    } catch (thrown) {
      const error = toConnectError(thrown);
      report(outcomeOf(error), error.cause);
      throw error;
    }
  };
}

function outcomeOf(error: ConnectError): string {
  const info = error.findDetails(ErrorInfoSchema)[0];
  return info?.reason.toLowerCase() ?? Code[error.code].toLowerCase();
}
