// What a client still sends when it has its response: the rest of a body that nobody reads, or what follows bytes that
// are not HTTP. A connection that is closed with unread bytes resets its client, which then may never see the response.
// So they are taken in and thrown away first (a lingering close, RFC 9112 section 9.6), within bounds.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A client that sends more is cut off. */
const maxLingerBytes = 8 << 20;
const lookIntervalMs = 50;

const isAllThere = Symbol("isAllThere");
type MaybeLingering = Socket & { [isAllThere]?: () => boolean };

/** Whether what a connection brings is thrown away: its client has its response. */
export function isLingering(socket: Socket): boolean {
  return (socket as MaybeLingering)[isAllThere]?.() === false;
}

/** Takes in what is left of bodies after responses. @param maxLingerMs a client that goes on for longer is cut off */
export function discardUnreadBodies(server: Server, maxLingerMs: number): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.on("connection", (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node closes so after the last response of a connection, whatever is still unread.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) socket.end();
      else destroySoon();
    };
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    latest.set(socket, request);
    response.once("finish", () => {
      if (request.complete) return;
      request.resume();
      linger(socket, maxLingerMs, () => request.complete);
    });
  });
}

/**
 * Lets a client send on, and cuts it off when it sends too much or for too long. Nothing else tells how much there was:
 * Node throws bytes away by itself.
 * @param isOver whether everything has come
 */
export function linger(socket: Socket, maxLingerMs: number, isOver: () => boolean): void {
  (socket as MaybeLingering)[isAllThere] = isOver;
  const maxBytesRead = socket.bytesRead + maxLingerBytes;
  const endsAt = performance.now() + maxLingerMs;
  const look = setInterval(() => {
    const isWithin = socket.bytesRead <= maxBytesRead && performance.now() < endsAt;
    if (isWithin && !isOver() && !socket.destroyed) return;
    clearInterval(look);
    if (!isOver() || socket.writableEnded) socket.destroy();
  }, lookIntervalMs);
}
