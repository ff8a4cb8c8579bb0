// Calls of the core for a browser. The core decides what a browser session allows.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyRequest } from "fastify";
import { type Core, headerNames, makeCall } from "../../kernel/calls/core.ts";
import { createCallHead, getRecord } from "../../transport/http/request-record.ts";
import { convertCallError } from "../page-error.ts";

/** A browser session from its cookie. */
export interface BrowserSession {
  readonly sessionId: string;
  readonly token: string;
}

/** Calls an rpc. Throws a PageError. @param token of a browser session; undefined: there is none yet */
export type CallCore = <M extends DescMethodUnary>(
  request: FastifyRequest,
  method: M,
  message: MessageInitShape<M["input"]>,
  token?: string,
) => Promise<MessageShape<M["output"]>>;

export function createCoreCaller(core: Core): CallCore {
  return async (request, method, message, token) => {
    const header = (name: string) =>
      name === headerNames.authorization && token !== undefined ? `Bearer ${token}` : undefined;
    try {
      return await makeCall(core, method, createCallHead(request, "web", header), () => message);
    } catch (error) {
      getRecord(request.raw).isReported = true;
      throw convertCallError(error);
    }
  };
}
