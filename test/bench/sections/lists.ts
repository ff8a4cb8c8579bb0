// Lists: pages of the largest of many partners, when few sessions are stored and when many are.
import { randomBytes } from "node:crypto";
import type { Connection } from "mysql2/promise";
import { v7 as uuidv7 } from "uuid";
import { openDatabase } from "../../../src/database/database.ts";
import { bytesToUuid } from "../../../src/database/rows.ts";
import { maxLookedAt, type SessionFilter } from "../../../src/store/sessions/session-list-store.ts";
import { answersToBytes } from "../../../src/store/sessions/session-rows.ts";
import { createStores, type Stores } from "../../../src/store/stores.ts";
import { anySession } from "../../support/databases/store-calls.ts";
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { median, medianRatio, percentile } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";

const mostPartners = 200;
/** Sessions for each partner, at least: the largest has more than a page looks at, so pages of all sizes do the same work. */
const leastSessions = 1_000;
const rowsPerStatement = 1_000;
const callsPerTurn = 200;
const { signal } = new AbortController();
const sheet = Array.from({ length: 152 }, (_, index) => index % 7);

/** Nothing is `hosted`, so that filter looks at as many sessions as a page may. */
const filters: Readonly<Record<string, Partial<SessionFilter> & { readonly limit?: number }>> = {
  newest: {},
  "looked at for their progress": { limit: maxLookedAt },
  "of a status": { state: "completed" },
  "that nothing passes": { mode: "hosted" },
  "of a person": { externalId: "person 7" },
};

/** Measures pages of 100 sessions from random places, each size in a database of its own, in turns. */
export async function measureLists(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using started = new AsyncDisposableStack();
  const turns: [string, () => Promise<number[]>][] = [];
  for (const size of options.sizes) {
    const partners = Math.max(1, Math.min(mostPartners, Math.floor(size / leastSessions)));
    bench.say(`  storing ${size.toLocaleString("en")} sessions of ${partners} partners`);
    const database = await createBenchDatabase(server);
    started.defer(() => database.drop());
    const { partnerId, ids } = await storeSessions(database.connection, {
      assessmentId: database.assessment.id,
      count: size,
      partners,
    });
    const db = openDatabase({ address: database.address, poolSize: 1, warn: () => undefined });
    started.defer(() => db.destroy());
    const { sessionLists } = createStores(db);
    for (const [name, { limit = 100, ...filter }] of Object.entries(filters)) {
      const time = () => timePages(sessionLists, partnerId, { ...anySession, ...filter }, limit, ids);
      turns.push([`${name} ${size}`, time]);
    }
  }
  const rounds = await inTurns(Object.fromEntries(turns), options);
  const p99 = (name: string, size: number) => (rounds[`${name} ${size}`] ?? []).map((ms) => percentile(ms, 0.99));
  const [least = 0, most = 0] = [options.sizes[0], options.sizes.at(-1)];
  const ratios = Object.keys(filters).map((name) => medianRatio(p99(name, most), p99(name, least)));
  return {
    tables: [
      {
        title: `A page of 100 of the largest of at most ${mostPartners} partners, one caller, ms: median and p99`,
        head: ["", ...options.sizes.map((size) => size.toLocaleString("en")), "p99, largest / smallest"],
        rows: Object.keys(filters).map((name, index) => [
          name,
          ...options.sizes.map((size) => {
            const medians = (rounds[`${name} ${size}`] ?? []).map((ms) => median(ms));
            return `${figure(median(medians))}; ${figure(median(p99(name, size)))}`;
          }),
          ratio(ratios[index]),
        ]),
      },
    ],
    figures: {
      "lists.worst.ms": Math.max(
        ...Object.keys(filters).map((name) => median((rounds[`${name} ${most}`] ?? []).map((ms) => median(ms)))),
      ),
      "lists.worst.p99": Math.max(...ratios),
    },
    rounds,
  };
}

async function timePages(
  { listSessions }: Stores["sessionLists"],
  partnerId: string,
  filter: SessionFilter,
  limit: number,
  ids: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < callsPerTurn; call += 1) {
    const before = ids[Math.floor((call / callsPerTurn) * ids.length)];
    const began = performance.now();
    await listSessions(partnerId, "values-bridge", filter, { before, limit, now: new Date() }, signal);
    times.push(performance.now() - began);
  }
  return times;
}

/** Stores sessions whose partners differ in size as words of a language do (Zipf). @returns the largest, and some of its ids */
async function storeSessions(
  connection: Connection,
  { assessmentId, count, partners }: { assessmentId: number; count: number; partners: number },
) {
  const partnerIds = Array.from({ length: partners }, () => uuidv7({}, Buffer.alloc(16)));
  let whole = 0;
  const upTo = partnerIds.map((_, rank) => {
    whole += 1 / (rank + 1);
    return whole;
  });
  const [largest = Buffer.alloc(16)] = partnerIds;
  const ids: string[] = [];
  for (let from = 0; from < count; from += rowsPerStatement) {
    const rows = Array.from({ length: Math.min(rowsPerStatement, count - from) }, (_, offset) => {
      const at = new Date(Date.now() - 1_000 * (count - from - offset));
      const id = uuidv7({ msecs: at.getTime() }, Buffer.alloc(16));
      const chosen = Math.random() * whole;
      const partner = partnerIds[upTo.findIndex((sum) => chosen < sum)] ?? largest;
      if (partner === largest) ids.push(bytesToUuid(id));
      const person = Buffer.from(`person ${(from + offset) % 1_000}`);
      const outcome = (from + offset) % 3 === 0 ? [null, null] : [at, randomBytes(300)];
      return [id, partner, person, assessmentId, "headless", 1, at, answersToBytes(sheet), ...outcome];
    });
    await connection.query(
      `INSERT INTO sessions (id, partner_id, external_id, assessment_id, mode, revision, created_at, answers,
       completed_at, results) VALUES ?`,
      [rows],
    );
  }
  await connection.query("ANALYZE TABLE sessions");
  return { partnerId: bytesToUuid(largest), ids };
}
