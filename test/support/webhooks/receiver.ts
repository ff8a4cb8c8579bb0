// A partner's receiver of webhooks: it notes what comes, and answers as it is told.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "../processes/loopback.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The event. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly sequence: string;
    readonly data: Readonly<Record<string, string>>;
  };
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Undefined: it never answers. */
export type Answering = (received: Received) => Answer | undefined | Promise<Answer>;

const acceptance: Answer = { status: 204 };

/** A receiver on loopback until the test ends. Everything is taken unless `answer` says otherwise. */
export async function startReceiver(answer: Answering = () => acceptance) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const one = { path: request.url ?? "", headers: request.headers, body, event: JSON.parse(body) };
    received.push(one);
    const chosenAnswer = await answer(one);
    if (chosenAnswer !== undefined)
      response.writeHead(chosenAnswer.status, chosenAnswer.headers).end(chosenAnswer.body);
  });
  const port = await listenOnLoopback(server);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${port}/hooks`, received, stop };
}
