// The rest of a body whose request is answered before it has arrived. A connection that is closed at once resets its
// client, which then may never see the response; so the rest is taken in and thrown away, within bounds.
import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** A client that sends on for longer, or sends more, is cut off. */
const maxLingerMs = 2_000;
const maxLingerBytes = 8 << 20;

/** Takes in what is left of bodies behind responses. */
export function discardUnreadBodies(server: Server): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    response.once("finish", () => {
      if (!request.complete) linger(request);
    });
  });
}

function linger(request: IncomingMessage): void {
  const { socket } = request;
  let bytes = 0;
  const cut = () => socket.destroy();
  const timer = setTimeout(cut, maxLingerMs);
  request
    .on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxLingerBytes) cut();
    })
    .once("close", () => clearTimeout(timer));
}
