// A call of the gRPC port, with bounds on the memory that it takes while it arrives: its metadata, then its message. grpc-js
// does not report how much of a message has arrived, and allows each a megabyte, so a slow message is counted with an
// estimate that few exceed. A stream that the client does not end stays open with what has arrived, also after the
// response, and counts until the connection is closed.
import * as grpc from "@grpc/grpc-js";
import type { Connections } from "../../kernel/calls/connections.ts";
import { maxMessageBytes, type ReadLimits } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { BodyBudget } from "../../kernel/limits/budget.ts";

/** A call as grpc-js gives it to interceptors. */
export type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];
export type Listener = Parameters<InterceptingCall["start"]>[0];

/**
 * Most bytes of metadata, with those that each value counts in addition: a hundred short ones take longer to read than one
 * that is long. HTTP allows 16 KiB, to which a gateway adds some.
 */
const maxMetadataBytes = 20 * 1024;
const bytesByValue = 320;
/** Bytes that a call is counted with, metadata included and its message not. */
const callBytes = 96 * 1024;
/** Bytes that a message is counted with when it begins, and what is added if it has not arrived in half a second. */
const countedBytes = { first: 16 * 1024, slow: 256 * 1024 };
const slowMs = 500;

export interface CallBounds {
  /** For all messages that are arriving, over every transport. */
  readonly budget: BodyBudget;
  readonly connections: Connections;
  /** A message has to arrive completely within this time. */
  readonly receiveTimeoutMs: number;
  /** The address of a caller who came through a proxy: the peer's, or the one that a trusted proxy names. */
  readonly addressOf: (peer: string, forwardedFor: string) => string;
}

export abstract class BoundedCall extends grpc.ServerInterceptingCall {
  readonly peer: string;
  protected readonly bounds: CallBounds;
  /** The caller's address, once there is metadata. */
  protected address = "";
  readonly #bytes: number;
  #stopReading: ((isPartLeft: boolean) => void) | undefined;
  #isComplete = false;
  #isAnswered = false;
  #metadata = new grpc.Metadata();

  /** @param answerBytes most bytes of responses that wait to be read, if nothing else counts them */
  constructor(call: InterceptingCall, bounds: CallBounds, answerBytes = 0) {
    super(call);
    this.bounds = bounds;
    this.#bytes = callBytes + answerBytes;
    this.peer = call.getPeer();
    bounds.connections.begin(this.peer, this.#bytes);
  }

  /** Called if the call is refused before its message has arrived. */
  protected abstract refuse(refusal: Refusal): void;

  override start(listener: Listener): void {
    super.start({
      onReceiveMetadata: (metadata) => {
        this.#metadata = metadata;
        const host = this.peer.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
        const forwarded = metadata.get("x-forwarded-for")[0]?.toString();
        this.address = forwarded === undefined ? host : this.bounds.addressOf(host, forwarded);
        if (isWithinLimit(metadata)) return listener.onReceiveMetadata(metadata);
        letGo(metadata);
        this.bounds.connections.abused(this.peer);
        this.refuse(new Refusal("headers_too_large", `The headers have at most ${maxMetadataBytes} bytes.`));
      },
      onReceiveMessage: (message) => {
        this.#stopReading?.(false);
        listener.onReceiveMessage(message);
      },
      onReceiveHalfClose: () => {
        this.#isComplete = true;
        this.#stopReading?.(false);
        listener.onReceiveHalfClose();
      },
      onCancel: () => {
        const isStreamLeft = !this.#isComplete && (this.#isAnswered || Number(this.getDeadline()) <= Date.now());
        this.#stopReading?.(isStreamLeft);
        if (!isStreamLeft) this.bounds.connections.end(this.peer, this.#bytes);
        listener.onCancel();
        // Node keeps the stream, and so what it refers to, longer than it is open.
        letGo(this.#metadata);
      },
    });
  }

  /** Reads a message, unless the byte budget is used up. */
  protected startReading({ sender }: Pick<ReadLimits, "sender">): void {
    const { budget, connections, receiveTimeoutMs } = this.bounds;
    let isReading = false;
    const giveUp = (refusal: Refusal) => {
      this.#stopReading?.(isReading);
      this.refuse(refusal);
    };
    const arriving = budget.open(sender, giveUp);
    const tooLate = () => giveUp(new Refusal("deadline_exceeded", "The message was not received in time."));
    const timers = [setTimeout(tooLate, receiveTimeoutMs), setTimeout(() => arriving.take(countedBytes.slow), slowMs)];
    this.#stopReading = (isPartLeft) => {
      this.#stopReading = undefined;
      for (const timer of timers) clearTimeout(timer);
      arriving.end();
      if (isPartLeft) connections.holdUntilClosed(this.peer, maxMessageBytes);
    };
    arriving.take(countedBytes.first);
    if (this.#stopReading === undefined) return;
    isReading = true;
    super.startRead();
  }

  override sendStatus(status: Parameters<InterceptingCall["sendStatus"]>[0]): void {
    this.#isAnswered = true;
    super.sendStatus(status);
  }
}

/** Whether the metadata is within the limit. */
function isWithinLimit(metadata: grpc.Metadata): boolean {
  const names = Object.keys(metadata.getMap());
  let bytes = 0;
  for (const name of names) for (const value of metadata.get(name)) bytes += name.length + value.length + bytesByValue;
  return bytes <= maxMetadataBytes;
}

function letGo(metadata: grpc.Metadata): void {
  for (const name of Object.keys(metadata.getMap())) metadata.remove(name);
}
