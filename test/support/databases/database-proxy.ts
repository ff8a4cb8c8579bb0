// A TCP proxy before a database server that cuts or freezes connections in the middle of a statement and delays answers.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "../processes/loopback.ts";

/**
 * Where a connection is cut: before the request has gone on, with half of it gone on, or instead of the answer. One that
 * is frozen stays as it is after its request has gone on, as that of a process which stands still: until the server ends it.
 */
export type Cut = "request" | "half" | "answer" | "frozen";

export type ProxyTarget = { readonly path: string } | { readonly host: string; readonly port: number };

export interface DatabaseProxy {
  readonly port: number;
  /** Where new connections go. */
  target: ProxyTarget;
  /**
   * Decides for each request whether its connection is cut there.
   * @param statement its SQL, empty if it has none
   * @param connection the same object for all requests of a connection
   */
  choose: (statement: string, connection: object) => Cut | undefined;
  /** Puts another request of the same length in the place of one. */
  rewrite: (request: Buffer) => Buffer;
  /** Milliseconds that each piece of an answer is late. */
  latencyMs: number;
  /** Connections cut so far. */
  readonly cuts: number;
}

/** Listens on loopback, before the target, until the test ends. */
export async function startDatabaseProxy(target: ProxyTarget): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream =
      "path" in proxy.target ? connect(proxy.target.path) : connect(proxy.target.port, proxy.target.host);
    const end = () => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", end).on("close", end);
    }
    const statements = new StatementReader();
    let isAnswerLost = false;
    let isFrozen = false;
    client.on("data", (request) => {
      if (isFrozen) return;
      const cut = proxy.choose(statements.read(request), client);
      if (cut === undefined) return void upstream.write(proxy.rewrite(request));
      cuts += 1;
      if (cut === "request") return end();
      if (cut === "half") return void upstream.write(request.subarray(0, request.length >> 1), end);
      isAnswerLost = cut === "answer";
      isFrozen = cut === "frozen";
      upstream.write(request);
    });
    upstream.on("data", (answer) => {
      if (isAnswerLost) return end();
      if (isFrozen) return;
      statements.noteAnswer(answer);
      if (proxy.latencyMs === 0) client.write(answer);
      else setTimeout(() => client.write(answer), proxy.latencyMs);
    });
  });
  const port = await listenOnLoopback(server);
  const proxy: DatabaseProxy = {
    port,
    target,
    choose: () => undefined,
    rewrite: (request) => request,
    latencyMs: 0,
    get cuts() {
      return cuts;
    },
  };
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, "close");
  });
  return proxy;
}

const headerLength = 4;
const comQuery = 0x03;
const comPrepare = 0x16;
const comExecute = 0x17;

/** Knows which statement a request runs, in the client/server protocol of MySQL. */
class StatementReader {
  readonly #prepared = new Map<number, string>();
  #preparing: string | undefined;

  read(request: Buffer): string {
    const command = request[headerLength];
    // MySQL lets attributes go before the text: none, in two small bytes.
    const text = () =>
      request
        .subarray(headerLength + 1)
        .toString()
        .replace(/^[^!-~]+/, "");
    if (command === comQuery) return text();
    if (command === comExecute) return this.#prepared.get(request.readUInt32LE(headerLength + 1)) ?? "";
    if (command === comPrepare) this.#preparing = text();
    return "";
  }

  noteAnswer(answer: Buffer): void {
    if (this.#preparing !== undefined && answer[headerLength] === 0) {
      this.#prepared.set(answer.readUInt32LE(headerLength + 1), this.#preparing);
    }
    this.#preparing = undefined;
  }
}
