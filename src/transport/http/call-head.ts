// The head of a call that a request makes.
import type { FastifyRequest } from "fastify";
import { CallFacts, type CallHead, metadata, traceparentOf, tracestateOf } from "../../kernel/calls/core.ts";
import type { Transport } from "../../kernel/telemetry.ts";
import { recordOf } from "./request-record.ts";

/**
 * A call before its message. The report of the request has the facts of its last call.
 * @param header the metadata of a name
 */
export function callHead(
  request: FastifyRequest,
  transport: Transport,
  header: CallHead["header"],
  timeoutMs?: number,
): CallHead {
  const record = recordOf(request.raw);
  const facts = new CallFacts();
  record.facts = facts;
  return {
    origin: {
      transport,
      address: request.callerAddress,
      requestId: request.id,
      traceparent: traceparentOf(headerOf(request, metadata.traceparent)),
      tracestate: tracestateOf(headerOf(request, metadata.tracestate)),
      trace: record.trace,
      isTrusted: false,
    },
    timeoutMs,
    facts,
    header,
  };
}

/** The value of a header, the first one if there are several. */
export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
