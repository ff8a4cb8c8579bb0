// What is wrong after a fault, in words: every acknowledged effect against the rows, and against what the service says.
import { isDeepStrictEqual } from "node:util";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { bodyOf } from "../../e2e/cases/case.ts";
import { Journal } from "../../faults/support/callers/journal.ts";
import { faultsOf } from "../../faults/support/callers/verify.ts";
import { happened, readLog, sequenceFaults } from "../../faults/support/events/event-log.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import type { BodyOf } from "../../support/transports/transports.ts";
import { until } from "../../support/until.ts";
import type { Load } from "./load.ts";
import type { Caller } from "./service.ts";

/**
 * @param url of the vtgate with all its keyspaces
 * @param load that has ended, and whose readers go on
 * @param journals of the callers, in their order
 */
export async function reckon(
  url: string,
  load: Load,
  callers: readonly Caller[],
  journals: readonly Journal[],
): Promise<string[]> {
  const connection = await createConnection(url);
  try {
    const all = new Journal();
    all.entries.push(...journals.flatMap(({ entries }) => entries));
    const faults = await faultsOf(connection, all);
    for (const [index, caller] of callers.entries()) {
      const own = [
        ...(await feedFaults(connection, caller, load.readers[index])),
        ...(await listFaults(caller, journals[index] ?? new Journal())),
      ];
      faults.push(...own.map((fault) => `partner ${index}: ${fault}`));
    }
    return faults;
  } finally {
    connection.destroy();
  }
}

/** What is wrong with the log of a partner, and with what somebody read who followed it the whole time. */
async function feedFaults(
  connection: Connection,
  { partnerId }: Caller,
  reader: Load["readers"][number] | undefined,
): Promise<string[]> {
  const expected = await happened(connection, partnerId);
  const count = [...expected.values()].flat().length;
  const log = await until(async () => {
    const events = await readLog(connection, partnerId);
    return events.length >= count ? events : undefined;
  });
  const [[own]] = await connection.query<RowDataPacket[]>(
    "SELECT MAX(sequence) - COUNT(*) AS holes FROM events WHERE partner_id = ?",
    [uuidToBytes(partnerId)],
  );
  await reader?.untilRead(log.length);
  return [
    ...sequenceFaults(log, expected),
    ...(Number(own?.holes) === 0 ? [] : [`${own?.holes} numbers of the partner were skipped`]),
    ...(isDeepStrictEqual(reader?.names, log) ? [] : ["the feed was read differently"]),
  ];
}

/** What is wrong with the list and the export of a partner: each has every session once, in order. */
async function listFaults({ httpUrl, token }: Caller, { entries }: Journal): Promise<string[]> {
  const transport = restTransport(httpUrl);
  const listedIds: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: BodyOf<"listSessions"> = bodyOf(
      await transport.listSessions({ token }, { limit: 100, ...(after === "" ? {} : { after }) }),
    );
    listedIds.push(...page.sessions.map(({ sessionId }) => sessionId));
    after = page.next;
  }
  const exported: string[] = [];
  for (let after = ""; ; ) {
    const page = bodyOf(await transport.exportSessions({ token }, after === "" ? {} : { after }));
    exported.push(...page.sessions.map(({ sessionId }) => sessionId));
    after = page.nextCursor;
    if (page.atEnd || page.sessions.length === 0) break;
  }
  transport.close();
  const idsInOrder = exported.toSorted();
  const acknowledgedIds = entries.flatMap(({ sessionId }) => (sessionId === undefined ? [] : [sessionId]));
  const missing = new Set(acknowledgedIds).difference(new Set(exported));
  return [
    ...(new Set(exported).size === exported.length ? [] : ["the export has a session twice"]),
    ...(isDeepStrictEqual(exported, idsInOrder) ? [] : ["the export is out of order"]),
    ...(isDeepStrictEqual(listedIds, idsInOrder.toReversed()) ? [] : ["the list and the export differ"]),
    ...[...missing].map((id) => `${id} is not in the export`),
  ];
}
