// The load process: does what it is ordered, one order after the other. Each client begins its next assessment when the
// one before has ended.
import { percentile } from "../report/statistics.ts";
import { answerParent } from "../servers/child.ts";
import { externalIds } from "../servers/external-ids.ts";
import { checkAnswer, sessionIdOf } from "./answers.ts";
import type { Connection } from "./connections/connection.ts";
import { GrpcClient } from "./connections/grpc-client.ts";
import { GrpcConnection } from "./connections/grpc-connection.ts";
import { HttpConnection } from "./connections/http-connection.ts";
import { type LoadReport, type Order, type Target, wholeAssessment } from "./orders.ts";
import { restRequests } from "./requests.ts";

/** The session's id stands within so many bytes. */
const idBytes = 64;

type Look = (operation: (typeof wholeAssessment)[number], body: Buffer) => void;

/** Plays the assessment of a person. @param look is shown each answer */
async function play(connection: Connection, { transport }: Target, person: string, look?: Look): Promise<void> {
  let about = person;
  for (const operation of wholeAssessment) {
    const body = await connection.send(operation, about);
    look?.(operation, body);
    if (operation === "create") about = sessionIdOf(transport, body);
  }
}

function openHttp(target: Target, keptBytes: number): Promise<HttpConnection> {
  return new HttpConnection(target.port, restRequests(target), keptBytes).opened();
}

answerParent(async ({ target, clients, seconds }: Order): Promise<LoadReport> => {
  const newPerson = externalIds();
  // One that gives whole answers.
  const first = target.transport === "grpc" ? new GrpcClient(target) : await openHttp(target, Number.POSITIVE_INFINITY);
  const open = () => (target.transport === "grpc" ? new GrpcConnection(target).opened() : openHttp(target, idBytes));
  const connections: Connection[] = await Promise.all(Array.from({ length: clients }, open));
  try {
    await play(first, target, newPerson(), (operation, body) =>
      checkAnswer(operation, target.transport, body, target.sample),
    );
    // Each plays one first, so that connections and statements are warm.
    await Promise.all(connections.map((connection) => play(connection, target, newPerson())));
    const latencies: number[] = [];
    let total = clients + 1;
    const end = performance.now() + seconds * 1000;
    const work = async (connection: Connection) => {
      for (let from = performance.now(); from < end; from = performance.now()) {
        await play(connection, target, newPerson());
        const to = performance.now();
        total += 1;
        if (to <= end) latencies.push(to - from);
      }
    };
    await Promise.all(connections.map(work));
    return { completed: latencies.length, total, seconds, p99Ms: percentile(latencies, 0.99) };
  } finally {
    for (const connection of [first, ...connections]) connection.close();
  }
});
