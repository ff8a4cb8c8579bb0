// Answers bytes that Node's HTTP parser refused: there is no request then, so Fastify has no part in it.
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { toProblem } from "./problem.ts";
import { getRecord, type OpenConnections, type RequestObserver } from "./request-record.ts";

/**
 * Answers on the socket itself. A client that closed its side is gone.
 * @param open connections of the server
 * @param maxLingerMs how long a client may continue to send, so that it can read the answer
 */
export function answerBrokenRequests(
  publicUrl: () => string,
  observer: RequestObserver,
  open: OpenConnections,
  maxLingerMs: number,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    const isGone = error.code === "ECONNRESET" || error.code === "HPE_INVALID_EOF_STATE";
    // The parser raises another error for each further piece.
    if (socket.writableEnded && !isGone) return;
    const [response] = open.get(socket)?.unanswered ?? [];
    if (response?.headersSent === true || !socket.writable || isGone) {
      socket.destroy();
      return;
    }
    const refusal = brokenRequestError(error.code);
    const requestId = (response && getRecord(response.req).fastifyRequest?.id) ?? crypto.randomUUID();
    const { status, headers, body } = toProblem(refusal, publicUrl(), requestId);
    const all = {
      ...headers,
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": requestId,
      date: new Date().toUTCString(),
      connection: "close",
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`);
    const cut = setTimeout(() => socket.destroy(), maxLingerMs);
    socket.once("close", () => clearTimeout(cut));
    const unread = { route: "none", method: "none", isReported: false, seconds: 0 };
    observer({ ...unread, status, code: refusal.code, requestId });
  };
}

function brokenRequestError(code: string | undefined): Refusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Refusal("headers_too_large", details.headers_too_large);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Refusal("request_timeout", details.request_timeout);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Refusal("payload_too_large", "The chunk extensions are too large.");
    default:
      return new Refusal("malformed_request", "The request is not HTTP.");
  }
}
