// Calls of the gRPC port that do not go through the pipeline: health and reflection, which libraries serve for anybody. Their
// messages count as unauthenticated ones. The next one is read when the one before is answered; otherwise answers that the
// client does not read would pile up.
import type * as grpc from "@grpc/grpc-js";
import type { HealthCheckRequest } from "../../gen/health/v1/health_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { BoundedCall, type CallBounds, type InterceptingCall, type Listener } from "./bounded-call.ts";
import { toGrpcStatus } from "./status.ts";

/** Clients send names of services, symbols and files only, which are far shorter. */
const maxMessageLength = 4_096;
/** Replaces every name that no service has: the health service keeps each name that was ever watched. */
const unknownService = "unknown";
const stopping = new Refusal("unavailable", "The service is stopping.");
const tooLarge = new Refusal("payload_too_large", "The message is too large.");

/** Serves the public calls of a server. @param healthNames of services whose health can be asked for */
export function createPublicCalls(bounds: CallBounds, healthNames: ReadonlySet<string>) {
  const open = new Set<PublicCall>();
  const interceptor: grpc.ServerInterceptor = (_definition, call) => new PublicCall(call, bounds, healthNames, open);
  /** Ends every call with a status that makes its client try another server. */
  const end = () => {
    for (const call of open) call.refuse(stopping);
  };
  return { interceptor, end };
}

class PublicCall extends BoundedCall {
  readonly #healthNames: ReadonlySet<string>;
  readonly #open: Set<PublicCall>;
  /** The library's. */
  #listener: Listener | undefined;
  #isSending = false;
  #isReadPending = false;

  constructor(call: InterceptingCall, bounds: CallBounds, healthNames: ReadonlySet<string>, open: Set<PublicCall>) {
    super(call, bounds);
    this.#healthNames = healthNames;
    this.#open = open.add(this);
  }

  override start(listener: Listener): void {
    this.#listener = listener;
    super.start();
  }

  override onMetadata(metadata: grpc.Metadata): void {
    this.#listener?.onReceiveMetadata(metadata);
  }

  override onMessage(message: object): void {
    this.stopReading();
    if (JSON.stringify(message).length > maxMessageLength) this.refuse(tooLarge);
    else this.#listener?.onReceiveMessage(this.#replaceUnknownName(message));
  }

  override onHalfClose(): void {
    this.#listener?.onReceiveHalfClose();
  }

  override onOver(): void {
    this.#open.delete(this);
    this.#listener?.onCancel();
  }

  override startRead(): void {
    this.#isReadPending = this.#isSending;
    if (!this.#isSending) this.startReading({ caller: undefined, address: this.address });
  }

  override sendMessage(message: unknown, callback: () => void): void {
    this.#isSending = true;
    super.sendMessage(message, () => {
      this.#isSending = false;
      callback();
      if (this.#isReadPending) this.startRead();
    });
  }

  override refuse(refusal: Refusal): void {
    this.sendStatus(toGrpcStatus(refusal, false));
  }

  #replaceUnknownName(message: object): object {
    const { service } = message as Partial<HealthCheckRequest>;
    return service === undefined || this.#healthNames.has(service) ? message : { service: unknownService };
  }
}
