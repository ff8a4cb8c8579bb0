// HTTP/2 frame by frame, for connections that no HTTP/2 client would open.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, windowUpdate: 8, continuation: 9 };
export const flags = { endStream: 1, endHeaders: 4 };

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const initialWindowSize = 4;

/** A frame (RFC 9113 section 4.1). */
export function frame(type: number, flag: number, streamId: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flag, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** Headers as literals that enter no table (RFC 7541 section 6.2.2); texts are latin1, so any byte can be sent. */
export function headerBlock(headers: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.of(0), literal(name), literal(value)]));
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const length: number[] = [];
  if (bytes.length < 127) length.push(bytes.length);
  else {
    length.push(127);
    let rest = bytes.length - 127;
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** The headers of a gRPC call. */
export function callHeaders(path: string, more: readonly (readonly [string, string])[] = []): Buffer {
  return headerBlock([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "service"],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ...more,
  ]);
}

/**
 * Headers of a call, and one more, which stands once and is named by its number again and again (RFC 7541 section 6.1).
 */
export function repeatingHeaders(path: string, name: string, value: string, times: number, more = callHeaders(path)) {
  const firstOfTable = 0x80 | 62;
  const fields = [Buffer.of(0x40), literal(name), literal(value)];
  return Buffer.concat([more, ...fields, Buffer.alloc(times - 1, firstOfTable)]);
}

/** Settings whose only one is how much of each answer may be sent before it is asked for. */
export function windowSettings(bytes: number): Buffer {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(initialWindowSize, 0);
  payload.writeUInt32BE(bytes, 2);
  return frame(frameTypes.settings, 0, 0, payload);
}

/** More of a window (RFC 9113 section 6.9); stream 0 is the connection. */
export function windowUpdate(streamId: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(frameTypes.windowUpdate, 0, streamId, payload);
}

/** A connection that has said nothing yet. */
export async function openSocket(address: string): Promise<Socket> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** A connection that has said that it speaks HTTP/2. What comes back is thrown away. */
export async function openHttp2(address: string, settings = frame(frameTypes.settings, 0, 0)): Promise<Socket> {
  const socket = await openSocket(address);
  socket.resume();
  socket.write(Buffer.concat([Buffer.from(preface), settings]));
  return socket;
}

/** Sends as fast as the other side takes it. False where the other side has closed. */
export function send(socket: Socket, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (!socket.writable || socket.write(bytes)) return resolve(socket.writable);
    const settle = () => {
      socket.off("drain", settle).off("close", settle);
      resolve(socket.writable);
    };
    socket.on("drain", settle).on("close", settle);
  });
}

/** The streams that the other side has answered to the end or reset, as they come to be so. */
export function endedStreams(socket: Socket): ReadonlySet<number> {
  const streamIds = new Set<number>();
  onFrame(socket, (type, flag, id) => {
    const isAnswer = type === frameTypes.headers && (flag & flags.endStream) !== 0;
    if (isAnswer || type === frameTypes.reset) streamIds.add(id);
  });
  return streamIds;
}

function onFrame(socket: Socket, take: (type: number, flag: number, streamId: number) => void): void {
  let unreadBytes = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    unreadBytes = Buffer.concat([unreadBytes, bytes]);
    while (unreadBytes.length >= 9 && unreadBytes.length >= 9 + unreadBytes.readUIntBE(0, 3)) {
      take(unreadBytes.readUInt8(3), unreadBytes.readUInt8(4), unreadBytes.readUInt32BE(5));
      unreadBytes = unreadBytes.subarray(9 + unreadBytes.readUIntBE(0, 3));
    }
  });
}

/** Resolves when the other side has taken in all that was sent before. */
export function answerToPing(socket: Socket): Promise<void> {
  const ping = frame(frameTypes.ping, 0, 0, Buffer.from("answer!?"));
  return new Promise((resolve) => {
    socket.on("data", (bytes: Buffer) => {
      if (bytes.includes("answer!?")) resolve();
    });
    socket.write(ping);
  });
}

/** Numbers of streams that a client may open. */
export function streams(count: number): number[] {
  return Array.from({ length: count }, (_, index) => 2 * index + 1);
}
