// One call on its way through the pipeline: what the interceptors tell each other, and the implementation.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { CallOrigin, IncomingCall } from "../../contract/core.ts";
import type { ReportVisit } from "../../domain/ports/report-access.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { Handler, Principal } from "./implementation.ts";

export class PipelineCall {
  readonly incoming: IncomingCall;
  readonly method: DescMethodUnary;
  /** The scope that the rpc requires, `none` or `hosted`. */
  readonly scope: string;
  readonly handler: Handler;
  /** When the call began, in seconds of a monotonic clock; set by observation. */
  startedAt = 0;
  /** As the door says, or as a gateway says that is known to be one. */
  origin: CallOrigin;
  /** Who calls; set by authentication. */
  principal: Principal | undefined = undefined;
  /** Id of the one session that the caller's visit is for; set by authentication. */
  visitedSessionId: string | undefined = undefined;
  /** The caller's visit to a report; set by authentication. */
  reportVisit: ReportVisit | undefined = undefined;
  /** The decoded message; set when it was read. */
  message: unknown = undefined;
  /** How long the implementation may go on; set when the message was read. */
  deadline: CallDeadline | undefined = undefined;
  /** As whom the call holds a place; undefined if it holds none. */
  place: string | undefined = undefined;
  /** Gives the place back, if the call holds one; set by admission. */
  leavePlace: () => void = () => undefined;
  /** Waits without a place; set by admission. */
  idle: (wait: () => Promise<void>) => Promise<void> = (wait) => wait();

  constructor(incoming: IncomingCall, scope: string, handler: Handler) {
    this.incoming = incoming;
    this.method = incoming.method;
    this.scope = scope;
    this.handler = handler;
    this.origin = incoming.origin;
  }
}
