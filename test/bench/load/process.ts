// The load process: does what it is ordered, one order after the other. Each client begins its next assessment when the
// one before has ended.
import { percentile } from "../report/statistics.ts";
import { answerParent } from "../servers/child.ts";
import { externalIds } from "../servers/external-ids.ts";
import { checkAnswer, sessionIdOf } from "./answers.ts";
import { type Connection, openConnection } from "./connection.ts";
import { type LoadReport, type Order, wholeAssessment } from "./orders.ts";

type Look = (operation: (typeof wholeAssessment)[number], body: Buffer) => void;

/** Plays the assessment of a person. @param look is shown each answer */
async function play(connection: Connection, person: string, look?: Look): Promise<void> {
  let about = person;
  for (const operation of wholeAssessment) {
    const body = await connection.send(operation, about);
    look?.(operation, body);
    if (operation === "create") about = sessionIdOf(body);
  }
}

answerParent(async ({ target, clients, seconds }: Order): Promise<LoadReport> => {
  const newPerson = externalIds();
  const connections = Array.from({ length: clients }, () => openConnection(target));
  const { transport, sample } = target;
  try {
    // Each plays one first, so that connections and statements are warm.
    const check: Look = (operation, body) => checkAnswer(operation, transport, body, sample);
    await Promise.all(connections.map((connection) => play(connection, newPerson(), check)));
    const latencies: number[] = [];
    let total = clients;
    const end = performance.now() + seconds * 1000;
    const work = async (connection: Connection) => {
      for (let from = performance.now(); from < end; from = performance.now()) {
        await play(connection, newPerson());
        const to = performance.now();
        total += 1;
        if (to <= end) latencies.push(to - from);
      }
    };
    await Promise.all(connections.map(work));
    return { completed: latencies.length, total, seconds, p99Ms: percentile(latencies, 0.99) };
  } finally {
    for (const connection of connections) connection.close();
  }
});
