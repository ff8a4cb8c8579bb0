// Every call of a gateway to its core, its own token and readiness included, told when it is over.
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";

/** Told of a call. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

/** An interceptor of the transport that tells. @param now milliseconds of a monotonic clock */
export function observedCalls(observe: ObserveCoreCall, now: () => number): Interceptor {
  return (next) => async (request) => {
    const startedAt = now();
    const rpc = `${request.service.name}/${request.method.name}`;
    const end = (code: string) => observe(rpc, code, (now() - startedAt) / 1000);
    try {
      const response = await next(request);
      end("ok");
      return response;
    } catch (error) {
      end(codeToString(ConnectError.from(error).code));
      throw error;
    }
  };
}
