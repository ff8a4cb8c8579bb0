// A gRPC connection for the load: see grpc-wire.ts for what it sends. It reads frames, not headers: an answer with a
// whole message is a success, since a call that fails has none. What answers mean is checked with the official client.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { OperationName, Target } from "../orders.ts";
import { ofEachOperation, rpcCalls } from "../requests.ts";
import type { Connection } from "./connection.ts";
import {
  connectionPreface,
  flags,
  frame,
  frameHeadBytes,
  frameTypes,
  messageHeadBytes,
  WireCall,
  type WireCalls,
  windowUpdate,
} from "./grpc-wire.ts";

const readBufferBytes = 64 * 1024;
const refillBytes = 2 ** 30;
/** Enough for the id of a new session. */
const keptBytes = 64;

interface Waiting {
  resolve(message: Buffer): void;
  reject(error: Error): void;
}

export class GrpcConnection implements Connection {
  readonly #calls: WireCalls;
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #streamId = -1;
  /** Head of the frame that is being read, and how much of it has come. */
  readonly #head = Buffer.alloc(frameHeadBytes);
  #headBytes = 0;
  #payloadLeft = 0;
  /** Start of the frames' data, and its length. */
  readonly #kept = Buffer.alloc(keptBytes);
  #dataBytes = 0;
  #unacknowledgedBytes = 0;

  constructor(target: Target) {
    const authority = `127.0.0.1:${target.port}`;
    const calls = rpcCalls(target.sample);
    this.#calls = ofEachOperation((operation) => new WireCall(calls[operation], authority, target.token));
    const buffer = Buffer.allocUnsafe(readBufferBytes);
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: "127.0.0.1", port: target.port, noDelay: true, onread: { buffer, callback } });
    this.#socket.on("error", (error) => this.#waiting?.reject(error));
    this.#socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  async opened(): Promise<this> {
    if (this.#socket.connecting) await once(this.#socket, "connect");
    this.#socket.write(connectionPreface());
    return this;
  }

  send(operation: OperationName, text: string): Promise<Buffer> {
    this.#streamId += 2;
    this.#dataBytes = 0;
    const bytes = this.#calls[operation].on(this.#streamId, text);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headBytes < frameHeadBytes) {
        const taken = chunk.copy(this.#head, this.#headBytes, at, at + frameHeadBytes - this.#headBytes);
        this.#headBytes += taken;
        at += taken;
        if (this.#headBytes < frameHeadBytes) return;
        this.#payloadLeft = this.#head.readUIntBE(0, 3);
      }
      const end = Math.min(chunk.length, at + this.#payloadLeft);
      if (this.#head[3] === frameTypes.data) this.#take(chunk.subarray(at, end));
      this.#payloadLeft -= end - at;
      at = end;
      if (this.#payloadLeft === 0) {
        this.#headBytes = 0;
        this.#finishFrame();
      }
    }
  }

  #take(data: Buffer): void {
    if (this.#dataBytes < keptBytes) data.copy(this.#kept, this.#dataBytes);
    this.#dataBytes += data.length;
    this.#unacknowledgedBytes += data.length;
    if (this.#unacknowledgedBytes < refillBytes) return;
    this.#socket.write(windowUpdate(this.#unacknowledgedBytes));
    this.#unacknowledgedBytes = 0;
  }

  #finishFrame(): void {
    const [type, flag] = [this.#head[3], this.#head[4] ?? 0];
    const isStreams = type === frameTypes.data || type === frameTypes.headers;
    if (isStreams && (flag & flags.endStream) !== 0) this.#finish();
    else if (type === frameTypes.settings && (flag & flags.ack) === 0) {
      this.#socket.write(frame(frameTypes.settings, flags.ack, Buffer.alloc(0)));
    } else if (type === frameTypes.reset || type === frameTypes.goAway) {
      this.#waiting?.reject(new Error("the server ended the stream"));
    }
  }

  #finish(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const length = this.#dataBytes - messageHeadBytes;
    if (length >= 0 && this.#kept.readUInt32BE(1) === length) {
      waiting?.resolve(this.#kept.subarray(messageHeadBytes, this.#dataBytes));
    } else waiting?.reject(new Error(`no message on stream ${this.#streamId}: the call failed`));
  }
}
