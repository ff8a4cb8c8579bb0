// Receivers of webhooks, in a process of their own: they count what comes, and in which order.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "../servers/child.ts";

/** Paths that begin so never answer. */
export const silentPath = "/silent/";

export type ReceiverOrder = "listen" | "count" | "forget";

export interface Received {
  readonly port: number;
  /** Events that came to endpoints which answer, each once. */
  readonly events: number;
  readonly repeated: number;
  /** Those that came after a later one of the same session. */
  readonly disordered: number;
  /** When the last of them came, in milliseconds since 1970. */
  readonly lastAt: number;
}

const eventIds = new Set<string>();
const latest = new Map<string, number>();
const counts = { repeated: 0, disordered: 0, lastAt: 0 };

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { url = "" } = request;
  if (url.startsWith(silentPath)) return;
  response.writeHead(204).end();
  const { id, sequence, data } = JSON.parse(Buffer.concat(chunks).toString());
  if (eventIds.has(url + id)) {
    counts.repeated += 1;
    return;
  }
  eventIds.add(url + id);
  const session = url + data.sessionId;
  if (Number(sequence) < (latest.get(session) ?? 0)) counts.disordered += 1;
  latest.set(session, Number(sequence));
  counts.lastAt = Date.now();
});

answerParent(async (order: ReceiverOrder): Promise<Received> => {
  if (order === "listen") await new Promise<void>((resolve) => server.listen(0, resolve));
  if (order === "forget") {
    eventIds.clear();
    latest.clear();
    Object.assign(counts, { repeated: 0, disordered: 0, lastAt: 0 });
  }
  return { port: (server.address() as AddressInfo).port, events: eventIds.size, ...counts };
});
