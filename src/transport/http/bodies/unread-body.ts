// The rest of a body whose request is answered before it has arrived. A connection that is closed at once resets its
// client, which then may never see the response; so the rest is taken in and thrown away, within bounds.
import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** A client that sends on for longer, or sends more, is cut off. */
const maxLingerMs = 2_000;
const maxLingerBytes = 8 << 20;
const lookIntervalMs = 50;

/** Takes in what is left of bodies behind responses. */
export function discardUnreadBodies(server: Server): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    response.once("finish", () => {
      if (!request.complete) linger(request);
    });
  });
}

/** Node throws the body away by itself, and neither tells how much of it there was nor always when it ends. */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  const maxBytesRead = socket.bytesRead + maxLingerBytes;
  let looksLeft = maxLingerMs / lookIntervalMs;
  const look = setInterval(() => {
    looksLeft -= 1;
    const isOver = request.complete || socket.destroyed;
    if (!isOver && looksLeft > 0 && socket.bytesRead <= maxBytesRead) return;
    clearInterval(look);
    if (!isOver) socket.destroy();
  }, lookIntervalMs);
  request.resume();
}
