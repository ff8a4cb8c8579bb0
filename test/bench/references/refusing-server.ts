// The least that a refusal can cost: Node's own servers, which look at nothing and answer constants.
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { answerParent } from "../servers/child.ts";

const body = JSON.stringify({ code: "rate_limited", detail: "x".repeat(200) });
const headers = { "content-type": "application/problem+json", "content-length": body.length, "retry-after": "60" };

answerParent(async (transport: "rest" | "grpc"): Promise<number> => {
  const server = transport === "rest" ? httpServer() : grpcServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
});

function httpServer(): Server {
  return createServer((request, response) => {
    request.resume();
    response.writeHead(429, headers);
    response.end(body);
  });
}

function grpcServer(): Server {
  const server = createHttp2Server();
  server.on("stream", (stream) => {
    stream.resume();
    const trailers = { "grpc-status": "8", "grpc-message": "x".repeat(60) };
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...trailers }, { endStream: true });
  });
  return server;
}
