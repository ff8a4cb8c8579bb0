// Requests that are broken below the level of routes: bytes that are not HTTP, a bad Host, an unknown Expect.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Problem, problemBody, problemHeaders } from "./problem.ts";

const unknownExpectation = Symbol("unknownExpectation");

/** Whether an HTTP/1.1 request has no Host, an empty one, or more than one: Node would quietly take the first. */
export function hasBadHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "host") continue;
    if (host !== undefined) return true;
    host = rawHeaders[index + 1] ?? "";
  }
  return host === undefined ? httpVersion !== "1.0" : !URL.canParse(`http://${host}/`);
}

/** Marks requests that expect something other than 100-continue; without a listener Node answers them itself. */
export function refuseUnknownExpectations(server: Server): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    Object.assign(request, { [unknownExpectation]: true });
    server.emit("request", request, response);
  });
}

/** Whether the request was marked. */
export function wantsUnknown(request: IncomingMessage): boolean {
  return unknownExpectation in request;
}

/** Answers bytes that the HTTP parser refused, on the socket itself. */
export function answerBrokenRequests(publicUrl: () => string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    const isAnswered = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true;
    if (isAnswered || !socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const requestId = crypto.randomUUID();
    const problem = brokenRequestProblem(error.code);
    const body = problemBody(problem, publicUrl(), requestId);
    const headers = {
      ...problemHeaders(problem),
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": requestId,
      date: new Date().toUTCString(),
      connection: "close",
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${reasonPhrases[problem.status]}\r\n${head.join("")}\r\n${body}`);
  };
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Content Too Large",
  431: "Request Header Fields Too Large",
};

function brokenRequestProblem(code: string | undefined): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("headers_too_large", "Request line and headers have at most 16 KiB.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("request_timeout", "The request was not received in time.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("payload_too_large", "The chunk extensions are too large.");
    default:
      return new Problem("malformed_request", "The request is not HTTP.");
  }
}
