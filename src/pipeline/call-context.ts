// The context that services are called with.
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import type { PipelineCall } from "./call.ts";
import {
  boundSessionKey,
  deadlineKey,
  originKey,
  principalKey,
  reportBrowserSessionKey,
  slotKey,
} from "./context-values.ts";

/**
 * Connect's context of a call, for every transport. The library's own has headers and abort controllers besides, which
 * take several times as long to make as all interceptors take.
 */
export class CallContext implements HandlerContext {
  readonly method: DescMethodUnary;
  readonly signal: AbortSignal;
  readonly protocolName: string;
  readonly requestMethod = "POST";
  readonly timeoutMs: () => number | undefined;
  readonly values = createContextValues();

  /** @param monotonic milliseconds of the clock that the deadline is told by */
  constructor(call: PipelineCall, monotonic: () => number) {
    const { method, origin, deadline } = call;
    if (deadline === undefined) throw new Error("no interceptor has read the message");
    this.method = method;
    this.signal = deadline.signal;
    this.protocolName = origin.transport;
    this.timeoutMs = () => deadline.at - monotonic();
    this.values
      .set(originKey, origin)
      .set(deadlineKey, deadline)
      .set(slotKey, { leave: call.leaveSlot, idle: call.idle })
      .set(principalKey, call.principal)
      .set(boundSessionKey, call.boundSession)
      .set(reportBrowserSessionKey, call.reportBrowserSession);
  }

  get service(): DescService {
    return this.method.parent;
  }

  get url(): string {
    return `/${this.service.typeName}/${this.method.name}`;
  }

  // Transports read and write headers; what they say is in the values, as far as it is believed.
  get requestHeader(): never {
    throw withoutHeaders();
  }

  get responseHeader(): never {
    throw withoutHeaders();
  }

  get responseTrailer(): never {
    throw withoutHeaders();
  }
}

function withoutHeaders(): Error {
  return new Error("services have no headers");
}
