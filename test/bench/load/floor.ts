// The statements of whole assessments straight through mysql2, with no server between: those of the service, or the least.
import type { Connection } from "mysql2";
import type { RowDataPacket } from "mysql2/promise";
import { v7 as uuidv7 } from "uuid";
import { openDatabase } from "../../../src/database/database.ts";
import { runStatement, runStatements } from "../references/statement-values.ts";
import type { Client } from "./drive.ts";
import { externalIds } from "./external-ids.ts";
import { type FloorOrder, wholeAssessment } from "./orders.ts";

/** Opens the clients: each has a connection of its own, with the settings that the store makes. */
export async function openFloor({ address, script, sample, clients }: FloorOrder): Promise<Client[]> {
  const db = openDatabase({ address, poolSize: clients, warn: (message) => process.stderr.write(`${message}\n`) });
  const newExternalId = externalIds();
  const connections: Connection[] = await Promise.all(
    Array.from({ length: clients }, () => db.client.acquireConnection()),
  );
  const run = async (connection: Connection): Promise<Buffer> => {
    const particulars = { id: uuidv7(undefined, Buffer.alloc(16)), externalId: Buffer.from(newExternalId()) };
    for (const step of wholeAssessment) await runStatements(connection, script[step], particulars);
    return particulars.id;
  };
  const [first] = connections;
  const [read] = script.results;
  if (first === undefined || read === undefined) throw new Error("no client, or no statement that reads the results");
  const [row] = (await runStatement(first, read, { id: await run(first) })) as RowDataPacket[];
  const stored: Buffer | undefined = row?.results;
  if (stored?.toString("hex") !== sample.storedResults)
    throw new Error("the floor stores other results than the service");
  let open = connections.length;
  return connections.map((connection) => ({
    run: async () => {
      await run(connection);
      return true;
    },
    close: () => {
      void db.client.releaseConnection(connection);
      open -= 1;
      if (open === 0) void db.destroy();
    },
  }));
}
