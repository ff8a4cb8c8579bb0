// What Node answers outside of its request event: bytes that are not HTTP, tunnels.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { details } from "../../kernel/errors/details.ts";
import type { RequestEvent } from "../../kernel/telemetry.ts";
import { nothingAtThisAddress, Problem, problemBody, problemHeaders } from "./problem.ts";
import { type RequestObserver, recordOf, type Unanswered } from "./request-record.ts";

/**
 * Answers bytes that the HTTP parser refused, on the socket itself.
 * @param unanswered unfinished responses
 * @param maxLingerMs how long a client may go on sending, so that it can read the answer
 */
export function answerBrokenRequests(
  publicUrl: () => string,
  observer: RequestObserver,
  unanswered: Unanswered,
  maxLingerMs: number,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    // The parser raises another error for each further piece.
    if (socket.writableEnded && error.code !== "ECONNRESET") return;
    const [response] = unanswered.get(socket) ?? [];
    if (response?.headersSent === true || !socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const problem = brokenRequestProblem(error.code);
    // A client that closed its side may still read, or be gone: there is no way to know.
    const status = error.code === "HPE_INVALID_EOF_STATE" ? "gone" : problem.status;
    const requestId = note({ status, code: problem.code }, response, observer);
    endWith(socket, problem, publicUrl(), requestId);
    const cut = setTimeout(() => socket.destroy(), maxLingerMs);
    socket.once("close", () => clearTimeout(cut));
  };
}

/** Answers CONNECT requests, which Node handles outside of its request event. */
export function refuseTunnels(server: Server, publicUrl: () => string, observer: RequestObserver): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    const problem = nothingAtThisAddress();
    socket.on("error", () => socket.destroy());
    endWith(socket, problem, publicUrl(), note(problem, undefined, observer));
  });
}

function endWith(socket: Duplex, problem: Problem, publicUrl: string, requestId: string): void {
  const body = problemBody(problem, publicUrl, requestId);
  const headers = {
    ...problemHeaders(problem),
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
    date: new Date().toUTCString(),
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join("")}\r\n${body}`);
}

/** Reports the problem, for the running request if there is one. @returns the request's id */
function note(
  { status, code }: Pick<RequestEvent, "status" | "code">,
  unanswered: ServerResponse | undefined,
  observer: RequestObserver,
): string {
  if (unanswered !== undefined) {
    const record = recordOf(unanswered.req);
    record.status = status;
    record.code = code;
    return record.requestId;
  }
  const requestId = crypto.randomUUID();
  observer({ route: "none", method: "none", status, requestId, code, isReported: false, seconds: 0 });
  return requestId;
}

function brokenRequestProblem(code: string | undefined): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("headers_too_large", details.headers_too_large);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("request_timeout", details.request_timeout);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("payload_too_large", "The chunk extensions are too large.");
    default:
      return new Problem("malformed_request", "The request is not HTTP.");
  }
}
