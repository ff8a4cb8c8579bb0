// The cheapest HTTP/1.1 client there can be: prepared bytes out, a status and a length back. It takes from the machine
// as little as possible of what the server under test needs, and it is the same for every server.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { OperationName } from "../orders.ts";
import type { Connection, Prepared } from "./connection.ts";

const readBufferBytes = 64 * 1024;
/** So much of a body that tells of a failure is shown. */
const shownBytes = 200;
const endOfHead = "\r\n\r\n";

interface Waiting {
  resolve(body: Buffer): void;
  reject(error: Error): void;
}

export class HttpConnection implements Connection {
  readonly #requests: Readonly<Record<OperationName, Prepared>>;
  readonly #keptBytes: number;
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #head = Buffer.alloc(0);
  #status = 0;
  #body = Buffer.alloc(0);
  /** Bytes of the body still to come; undefined while the head is incomplete. */
  #remaining: number | undefined;

  /** @param keptBytes how much of a body to keep */
  constructor(port: number, requests: Readonly<Record<OperationName, Prepared>>, keptBytes: number) {
    this.#requests = requests;
    this.#keptBytes = keptBytes;
    const buffer = Buffer.allocUnsafe(readBufferBytes);
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer, callback } });
    this.#socket.on("error", (error) => this.#waiting?.reject(error));
    this.#socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  async opened(): Promise<this> {
    if (this.#socket.connecting) await once(this.#socket, "connect");
    return this;
  }

  send(operation: OperationName, text: string): Promise<Buffer> {
    const bytes = this.#requests[operation].with(text);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#remaining === undefined) this.#readHead(chunk);
    else this.#readBody(chunk);
    if (this.#remaining === 0) this.#finish();
  }

  #readHead(chunk: Buffer): void {
    // The buffer is used again for the next chunk, so what must outlast it is copied.
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(endOfHead);
    if (end < 0) {
      this.#head = Buffer.from(bytes);
      return;
    }
    const head = bytes.toString("latin1", 0, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined && this.#status !== 204) this.#waiting?.reject(new Error(`no content length: ${head}`));
    this.#head = Buffer.alloc(0);
    this.#body = Buffer.alloc(0);
    this.#remaining = Number(length ?? 0);
    this.#readBody(bytes.subarray(end + endOfHead.length));
  }

  #readBody(chunk: Buffer): void {
    const wanted = this.#keptBytes - this.#body.length;
    if (wanted > 0) this.#body = Buffer.concat([this.#body, chunk.subarray(0, wanted)]);
    this.#remaining = (this.#remaining ?? 0) - chunk.length;
  }

  #finish(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#remaining = undefined;
    if (this.#status >= 200 && this.#status < 300) waiting?.resolve(this.#body);
    else waiting?.reject(new Error(`status ${this.#status}: ${this.#body.subarray(0, shownBytes)}`));
  }
}
