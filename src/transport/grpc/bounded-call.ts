// A call of the gRPC port, with bounds on the memory that it takes while it arrives: its metadata, then its message. grpc-js
// does not report how much of a message has arrived, so a slow one counts as a whole megabyte. A stream that the client does
// not end stays open with what has arrived, also after the response, and counts until the connection is closed.
import * as grpc from "@grpc/grpc-js";
import { maxMessageBytes, type Sender, toLimitKey } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import type { Connection, Connections } from "../../limits/connections.ts";
import type { ArrivingMessage, ArrivingMessages } from "../../limits/memory.ts";

/** A call as grpc-js gives it to interceptors. */
export type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];
export type Listener = Parameters<InterceptingCall["start"]>[0];

/**
 * Most bytes of metadata, with those that each value counts in addition: a hundred short ones take longer to read than one
 * that is long. HTTP allows 16 KiB, to which a gateway adds some.
 */
const maxMetadataBytes = 20 * 1024;
const bytesPerValue = 320;

export interface CallBounds {
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  readonly connections: Connections;
  /** A message has to arrive completely within this time. */
  readonly receiveTimeoutMs: number;
  /** The address of a caller who came through a proxy: the peer's, or the one that a trusted proxy names. */
  readonly resolveAddress: (peer: string, forwardedFor: string) => string;
}

export abstract class BoundedCall extends grpc.ServerInterceptingCall {
  protected readonly bounds: CallBounds;
  /** Undefined without a limit. */
  protected readonly connection: Connection | undefined;
  /** The caller's metadata; undefined until it has arrived. */
  protected metadata: grpc.Metadata | undefined;
  /** The caller's address; empty until then. */
  protected address = "";
  #arriving: ArrivingMessage | undefined;
  /** Until the message has arrived, or is slow. */
  #slot: Disposable | undefined;
  /** Ends a message that has not arrived in time. */
  #timer: NodeJS.Timeout | undefined;
  #isComplete = false;
  #isAnswered = false;

  constructor(call: InterceptingCall, bounds: CallBounds) {
    super(call);
    this.bounds = bounds;
    this.connection = bounds.connections.find(call.getPeer());
    this.connection?.addCall();
  }

  /** The metadata has arrived. */
  protected abstract onMetadata(metadata: grpc.Metadata): void;
  protected abstract onMessage(message: unknown): void;
  /** The client sends no further message. */
  protected abstract onHalfClose(): void;
  /** The call is over: its caller has left, or has its response. */
  protected abstract onOver(): void;
  /** Refuses the call, before its message has arrived. */
  abstract refuse(refusal: Refusal): void;

  /** Leaves the library's own listener out, which would read the message at once. */
  override start(_listener?: Listener): void {
    super.start({
      onReceiveMetadata: (metadata) => {
        this.metadata = metadata;
        const host = this.getPeer().replace(/:\d+$/, "");
        const forwardedFor = metadata.get("x-forwarded-for")[0]?.toString();
        this.address = forwardedFor === undefined ? host : this.bounds.resolveAddress(host, forwardedFor);
        if (isWithinLimit(metadata)) return this.onMetadata(metadata);
        clearMetadata(metadata);
        this.connection?.countCostlyRefusal();
        this.refuse(new Refusal("headers_too_large", `The headers have at most ${maxMetadataBytes} bytes.`));
      },
      onReceiveMessage: (message) => this.onMessage(message),
      onReceiveHalfClose: () => {
        this.#isComplete = true;
        this.stopReading();
        this.onHalfClose();
      },
      onCancel: () => {
        const isStreamLeft = !this.#isComplete && (this.#isAnswered || Number(this.getDeadline()) <= Date.now());
        if (isStreamLeft) this.#reservePart();
        this.stopReading();
        this.onOver();
        // Node keeps the stream, and so what it refers to, longer than it is open.
        if (this.metadata !== undefined) clearMetadata(this.metadata);
      },
    });
  }

  /** Reads a message. It is refused if it arrives slowly and others need the memory, or if it arrives too late. */
  protected startReading(sender: Sender): void {
    const { bodies, receiveTimeoutMs } = this.bounds;
    const rejectMessage = (refusal: Refusal) => {
      this.#reservePart();
      this.refuse(refusal);
    };
    this.stopReading();
    const onTimeout = () => rejectMessage(new Refusal("deadline_exceeded", "The message was not received in time."));
    this.#timer = setTimeout(onTimeout, receiveTimeoutMs);
    const read = (takenSlot: Disposable) => {
      if (this.#timer === undefined) return takenSlot[Symbol.dispose]();
      this.#slot = takenSlot;
      this.#arriving = bodies.begin(sender, maxMessageBytes, rejectMessage, () => takenSlot[Symbol.dispose]());
      super.startRead();
    };
    try {
      const slot = bodies.unmeasuredSlots.acquire(toLimitKey(sender));
      if (slot instanceof Promise) slot.then(read, rejectMessage);
      else read(slot);
    } catch (error) {
      rejectMessage(error as Refusal);
    }
  }

  /** Counts the part of a message that has arrived: the library keeps it until the connection closes. */
  #reservePart(): void {
    if (this.#arriving !== undefined) this.connection?.addBytes(maxMessageBytes);
    this.stopReading();
  }

  /** A message has arrived, or the end of its stream where that is waited for. */
  protected stopReading(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#arriving?.end();
    this.#arriving = undefined;
    this.#slot?.[Symbol.dispose]();
    this.#slot = undefined;
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
  for (const name of names) {
    for (const value of metadata.get(name)) bytes += name.length + value.length + bytesPerValue * countValues(value);
  }
  return bytes <= maxMetadataBytes;
}

/** Node joins the values of a header that is there several times. */
function countValues(value: grpc.MetadataValue): number {
  return typeof value === "string" ? value.split(", ").length : 1;
}

function clearMetadata(metadata: grpc.Metadata): void {
  for (const name of Object.keys(metadata.getMap())) metadata.remove(name);
}
