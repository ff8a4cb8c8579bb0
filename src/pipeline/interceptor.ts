// What an interceptor is: something that every call passes on its way to the implementation.
import type { PipelineCall } from "./call.ts";

export interface Interceptor {
  /** Names it in the order of the pipeline. */
  readonly name: string;
  /** Lets the call pass, now or later, or throws. */
  enter(call: PipelineCall): void | Promise<void>;
  /** Told when a call that passed is over. @param error undefined for a success; else what the call ended with */
  leave?(call: PipelineCall, error: unknown): void;
}
