// What a gateway may find in the place of its core: another server, one that lies, or one that went mad.
import { once } from "node:events";
import { createServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { listenOnLoopback } from "../../processes/loopback.ts";

type Behaviour = (stream: ServerHttp2Stream, session: Http2Session) => void;

/** Words that must not get any further. */
export const secretWords = "SELECT secret FROM clients at 10.0.0.7:3306";

const grpcHeaders = { ":status": 200, "content-type": "application/grpc" };

function answerStatus(stream: ServerHttp2Stream, status: number, more: Record<string, string> = {}): void {
  stream.respond({ ...grpcHeaders, "grpc-status": String(status), "grpc-message": encodeURI(secretWords), ...more });
  stream.end();
}

function answerBytes(stream: ServerHttp2Stream, bytes: Uint8Array): void {
  stream.respond(grpcHeaders, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(bytes);
}

function message(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export const behaviours: Readonly<Record<string, Behaviour>> = {
  "a web page": (stream) => {
    stream.respond({ ":status": 200, "content-type": "text/html" });
    stream.end(`<h1>${secretWords}</h1>`);
  },
  "502 of a proxy": (stream) => {
    stream.respond({ ":status": 502, "content-type": "text/plain" });
    stream.end(secretWords);
  },
  "an unknown error with words that are not for callers": (stream) => answerStatus(stream, 2),
  "an internal error with words that are not for callers": (stream) => answerStatus(stream, 13),
  "unavailable with words that are not for callers": (stream) => answerStatus(stream, 14),
  "details that are no details": (stream) => answerStatus(stream, 3, { "grpc-status-details-bin": "////" }),
  "bytes that are no message": (stream) => answerBytes(stream, message(Buffer.of(0x0a, 0xff, 0xff, 0xff))),
  "a message that is cut short": (stream) => answerBytes(stream, Buffer.of(0, 0, 0, 1, 0, 1)),
  "a message of 5 MiB": (stream) => answerBytes(stream, message(Buffer.alloc(5 << 20))),
  "no answer but a reset": (stream) => stream.close(2),
  "a goodbye, and the end of the connection": (_stream, session) => {
    session.goaway(11);
    session.destroy();
  },
};

/** Listens on loopback and behaves as it is told. */
export async function startHostileCore() {
  const sessions = new Set<Http2Session>();
  const core = { behave: behaviours["a web page"] as Behaviour };
  const server = createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined).on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream) => {
    stream.on("error", () => undefined).resume();
    const { session } = stream;
    if (session !== undefined) core.behave(stream, session);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    become: (behave: Behaviour) => {
      core.behave = behave;
    },
    /** Says goodbye on every connection. */
    goAway: () => {
      for (const session of sessions) session.goaway(0);
    },
    async stop() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
