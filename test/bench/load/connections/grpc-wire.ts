// The cheapest gRPC client there can be: HTTP/2 frames made once, with nothing to encode and no more read than needed.
// The ordinary client takes five times the CPU, which on a small machine the server under test would be missing.

import type { OperationName } from "../orders.ts";
import type { RpcCall } from "../requests.ts";
import { Prepared } from "./connection.ts";

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 } as const;
export const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const;

export const frameHeadBytes = 9;
const streamIdAt = 5;
/** Before a message: whether it is compressed, and its length. */
export const messageHeadBytes = 5;
const maxFrameBytes = 16_384;
const maxWindow = 2 ** 31 - 1;
const initialWindow = 65_535;
const settingInitialWindow = 4;
const settingEnablePush = 2;

/** What a client sends first: no pushes, and windows so large that they hardly ever have to be opened again. */
export function connectionPreface(): Buffer {
  const settings = Buffer.alloc(12);
  settings.writeUInt16BE(settingEnablePush, 0);
  settings.writeUInt16BE(settingInitialWindow, 6);
  settings.writeUInt32BE(maxWindow, 8);
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(frameTypes.settings, 0, settings),
    windowUpdate(maxWindow - initialWindow),
  ]);
}

/** Opens the window of the whole connection by so many bytes. */
export function windowUpdate(bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(frameTypes.windowUpdate, 0, payload);
}

/** A frame of the connection itself, or of a stream whose number is written later. */
export function frame(type: number, flag: number, payload: Uint8Array): Buffer {
  if (payload.length > maxFrameBytes) throw new Error("the request does not fit one frame");
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  return Buffer.concat([head, payload]);
}

/** A call as the frames of its request, to be sent on one stream after the other. */
export class WireCall {
  readonly #frames: Prepared;
  readonly #streamIdsAt: readonly number[];

  constructor({ path, message, placeholder }: RpcCall, authority: string, token: string) {
    const headers = frame(frameTypes.headers, flags.endHeaders, headerBlock(path, authority, token));
    const head = Buffer.alloc(messageHeadBytes);
    head.writeUInt32BE(message.length, 1);
    const data = frame(frameTypes.data, flags.endStream, Buffer.concat([head, message]));
    this.#frames = new Prepared(Buffer.concat([headers, data]), placeholder);
    this.#streamIdsAt = [streamIdAt, headers.length + streamIdAt];
  }

  /** The frames of a request on a stream; good until the next call. */
  on(streamId: number, text: string): Buffer {
    const bytes = this.#frames.with(text);
    for (const at of this.#streamIdsAt) bytes.writeUInt32BE(streamId, at);
    return bytes;
  }
}

/** Calls of every operation. */
export type WireCalls = Readonly<Record<OperationName, WireCall>>;

/** The request headers in HPACK (RFC 7541): names and values of the static table, the rest as literals. */
function headerBlock(path: string, authority: string, token: string): Buffer {
  return Buffer.concat([
    Buffer.of(0x83, 0x86),
    literal([0x04], path),
    literal([0x01], authority),
    literal([0x0f, 0x10], "application/grpc"),
    literal([0x0f, 0x08], `Bearer ${token}`),
    Buffer.of(0x00),
    utf8Of("te"),
    utf8Of("trailers"),
  ]);
}

function literal(name: readonly number[], value: string): Buffer {
  return Buffer.concat([Buffer.from(name), utf8Of(value)]);
}

function utf8Of(value: string): Buffer {
  if (value.length >= 0x7f) throw new Error("the header is too long for one byte of length");
  return Buffer.concat([Buffer.of(value.length), Buffer.from(value, "latin1")]);
}
