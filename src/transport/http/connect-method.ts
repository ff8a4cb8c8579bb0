// The method CONNECT, which asks for a tunnel. Node hands it over apart from all others, and without a listener ends the
// connection: it is refused like any other method that nothing here has.
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Serves requests for tunnels as requests. */
export function serveConnectMethod(server: Server): void {
  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.once("finish", () => socket.end());
    socket.on("error", () => socket.destroy());
    server.emit("request", request, response);
  });
}
