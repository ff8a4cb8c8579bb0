// Exports as a model: creates that commit late, on clocks that differ, and readers who page meanwhile. Whatever the
// order, a reader who follows the cursor and goes on later has every session.
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { type ExportPage, maxExportMs } from "../../../src/gateway/exports/export-stream.ts";
import { cursorOfRow, isWhole, settledPages } from "../../../src/gateway/exports/first-rows.ts";
import {
  ExportSessionsRequestSchema,
  ExportSubjectRequestSchema,
} from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { builtInProduct, readBuiltInDefinition } from "../../../src/products/values-bridge/definition/built-in.ts";
import { publishAssessment } from "../../../src/services/assessments/catalogue.ts";
import { exportSessions } from "../../../src/services/exports/export-sessions.ts";
import { exportSubject } from "../../../src/services/exports/export-subject.ts";
import { createStores } from "../../../src/store/stores.ts";
import { someId } from "../builders.ts";
import { openTestStores, type TestStores } from "../databases/stores.ts";
import { testDomain } from "../domain.ts";
import { howMany } from "../extent.ts";
import { translatedDefinition } from "../values-bridge/definition.ts";
import { LateRows } from "./late-rows.ts";

const { signal } = new AbortController();
const deadline = { signal, at: Number.POSITIVE_INFINITY };
const pageSize = 2;
const externalId = "somebody";
/** What the model gives a session; Vitess copies no row whose columns are not named. */
const columns = "id, partner_id, external_id, assessment_id, mode, revision, created_at, answers";
/** A call has 30 seconds, and its insert waits 5 more for a lock. */
const latestMs = 35_000;

/** What reads come by, and what is true of it. */
interface Place {
  readonly ids: readonly string[];
  readonly cursor: string;
  readonly atEnd: boolean;
}

interface Session {
  readonly id: string;
  readonly createdAt: number;
  readonly version: 1 | 2;
  readonly isPersons: boolean;
  commit: (() => Promise<void>) | undefined;
  isErased: boolean;
}

export interface ExportDatabases {
  readonly database: TestStores;
  readonly replica: TestStores;
  readonly late: LateRows;
  readonly assessmentIds: readonly number[];
  close(): Promise<void>;
}

/** The number of the first of them, which is the instrument that ships. */
const firstVersion = 1;

/** A database with two versions of the instrument, and one that stands for its replica. */
export async function openExportDatabases(): Promise<ExportDatabases> {
  const [database, replica] = [await openTestStores(), await openTestStores()];
  const deps = testDomain(database);
  const other = JSON.stringify({ ...translatedDefinition(), product: builtInProduct });
  const versions = [await readBuiltInDefinition(), other];
  for (const definition of versions) await publishAssessment(deps, definition, deadline);
  const [rows] = await database.connection.query("SELECT id FROM assessments ORDER BY version");
  const late = await LateRows.open(database);
  return {
    database,
    replica,
    late,
    assessmentIds: (rows as { id: number }[]).map(({ id }) => id),
    async close() {
      await late.close();
      await replica.close();
      await database.close();
    },
  };
}

/**
 * How a reader goes on: by cursors, by the last row of a CSV of the first version, or through one person's sessions.
 */
type ReaderKind = "pages" | "csv" | "person";

export interface Circumstances {
  readonly hasReplica: boolean;
  /** Whether the partner is a test twin, whose clock is moved. */
  readonly isTwin: boolean;
}

class World {
  readonly #databases: ExportDatabases;
  readonly #circumstances: Circumstances;
  readonly #domain: ReturnType<typeof testDomain>;
  readonly partnerId: string;
  now = Date.UTC(2026, 10, 20);
  #skew = 0;
  #twinAhead = 0;
  readonly sessions: Session[] = [];
  /** What happened on the database and not yet on the replica, in the order of commits. */
  readonly #unreplicated: (() => Promise<void>)[] = [];
  readonly readers: Reader[];

  constructor(databases: ExportDatabases, circumstances: Circumstances) {
    this.#databases = databases;
    this.#circumstances = circumstances;
    const { database, replica } = databases;
    const id = someId();
    this.partnerId = circumstances.isTwin ? `${id.slice(0, 14)}8${id.slice(15)}` : id;
    const stores = circumstances.hasReplica ? createStores(database.db, replica.db) : database;
    const clock = () => this.now + this.#skew;
    this.#domain = testDomain({ ...database, ...stores }, { clock, hasReplica: circumstances.hasReplica });
    this.readers = (["pages", "csv", "person"] as const).map((kind) => new Reader(this, kind));
  }

  async tick(ms: number): Promise<void> {
    this.now += ms;
    for (const session of this.sessions) if (this.now - session.createdAt > latestMs) await this.#commit(session);
  }

  /** @param skew how far the clock of the process is ahead */
  async create(skew: number, version: 1 | 2, isPersons: boolean): Promise<void> {
    const { late, assessmentIds } = this.#databases;
    if (late.isFull) return;
    const madeAt = this.now + skew + this.#twinAhead;
    const id = uuidv7({ msecs: madeAt });
    const row = [uuidToBytes(id), uuidToBytes(this.partnerId), isPersons ? externalId : id, assessmentIds[version - 1]];
    const commit = await late.write(
      `INSERT INTO sessions (${columns})
       VALUES (?, ?, ?, ?, 'headless', 0, ?, '')`,
      [...row, new Date(madeAt)],
    );
    this.sessions.push({ id, createdAt: this.now, version, isPersons, commit, isErased: false });
  }

  async commitSome(which: number): Promise<void> {
    const held = this.sessions.filter(({ commit }) => commit !== undefined);
    const session = held[which % held.length];
    if (session !== undefined) await this.#commit(session);
  }

  async #commit(session: Session): Promise<void> {
    const { commit } = session;
    if (commit === undefined) return;
    session.commit = undefined;
    await commit();
    const { database, replica } = this.#databases;
    const names = [await nameOf(replica), await nameOf(database)];
    this.#unreplicated.push(async () => {
      const copy = `INSERT INTO ??.sessions (${columns}) SELECT ${columns} FROM ??.sessions WHERE id = ?`;
      await database.connection.query(copy, [...names, uuidToBytes(session.id)]);
    });
  }

  async erase(which: number): Promise<void> {
    const held = this.sessions.filter(({ commit, isErased }) => commit === undefined && !isErased);
    const session = held[which % held.length];
    if (session === undefined) return;
    session.isErased = true;
    const remove = (from: TestStores) =>
      from.connection.query("DELETE FROM sessions WHERE id = ?", [uuidToBytes(session.id)]);
    await remove(this.#databases.database);
    this.#unreplicated.push(async () => void (await remove(this.#databases.replica)));
  }

  async replicate(count: number): Promise<void> {
    for (const happens of this.#unreplicated.splice(0, count)) await happens();
  }

  get isTwin(): boolean {
    return this.#circumstances.isTwin;
  }

  moveTwinClock(ms: number): void {
    if (this.#circumstances.isTwin) this.#twinAhead = ms;
  }

  /** All that is held is committed and replicated, and a long time passes. */
  async settle(): Promise<void> {
    for (const session of this.sessions) await this.#commit(session);
    await this.replicate(this.#unreplicated.length);
    this.moveTwinClock(0);
    await this.tick(600_000);
  }

  /** @param skew how far the clock of the process is ahead that is asked */
  async page(kind: ReaderKind, after: string, skew: number): Promise<Place> {
    this.#skew = skew;
    const { partnerId } = this;
    const product = builtInProduct;
    const deps = { ...this.#domain, yieldToCalls: async () => undefined };
    if (kind === "person") {
      const request = create(ExportSubjectRequestSchema, { product, externalId, after, pageSize });
      const held = await exportSubject(deps, partnerId, request, deadline).catch(unlessNothing);
      if (held === undefined) return { ids: [], cursor: after, atEnd: true };
      return { ids: held.sessions.map(({ sessionId }) => sessionId), cursor: held.nextCursor, atEnd: held.atEnd };
    }
    const query = { product, after, pageSize, ...(kind === "csv" ? { version: firstVersion } : {}) };
    const request = create(ExportSessionsRequestSchema, query);
    const erased = new Set(this.sessions.filter(({ isErased }) => isErased).map(({ id }) => id));
    const { sessions, nextCursor, atEnd } = await exportSessions(deps, partnerId, request, deadline);
    const ids = sessions.map(({ sessionId }) => sessionId);
    expect(ids.filter((id) => erased.has(id))).toEqual([]);
    return { ids, cursor: nextCursor, atEnd };
  }
}

class Reader {
  readonly #world: World;
  readonly kind: ReaderKind;
  readonly seen = new Set<string>();
  cursor = "";
  #last: readonly string[] = [];

  constructor(world: World, kind: ReaderKind) {
    this.#world = world;
    this.kind = kind;
  }

  /** Reads a response. @returns whether it was the end */
  async read(skew: number): Promise<boolean> {
    return this.kind === "csv" ? this.#readCsv(skew) : this.#readPage(skew);
  }

  async #readPage(skew: number): Promise<boolean> {
    const page = await this.#world.page(this.kind, this.cursor, skew);
    this.#take(page.ids);
    this.#last = page.ids;
    this.cursor = page.cursor;
    return page.atEnd;
  }

  /** As the REST transport does, with responses of three pages. */
  async #readCsv(skew: number): Promise<boolean> {
    const read = async (after: string): Promise<ExportPage<{ readonly sessionId: string }>> => {
      const { ids, cursor, atEnd } = await this.#world.page("csv", cursorOfRow(after), skew);
      return { sessions: ids.map((sessionId) => ({ sessionId })), nextCursor: cursor, atEnd };
    };
    let page = await read(this.cursor);
    const rows = page.sessions.map(({ sessionId }) => sessionId);
    if (isWhole(page)) {
      this.#take(rows);
      this.cursor = page.nextCursor;
      return page.atEnd;
    }
    for (let pages = 1; pages < 3 && !page.atEnd; pages += 1) {
      page = await settledPages(read)(page.nextCursor);
      rows.push(...page.sessions.map(({ sessionId }) => sessionId));
      await this.#world.tick(maxExportMs / 10);
    }
    this.#take(rows);
    this.cursor = rows.at(-1) ?? this.cursor;
    return false;
  }

  /** What was settled by the cursor never comes again. */
  #take(ids: readonly string[]): void {
    const [settled = "", position] = this.cursor.split(".");
    if (position !== undefined) expect(ids.filter((id) => id <= settled)).toEqual([]);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    for (const id of ids) this.seen.add(id);
  }

  /**
   * The response before was cut: the reader goes on from the last line that it has. Not that of a test twin, whose ids
   * say nothing of the order once its clock was moved.
   */
  cut(): void {
    if (this.kind !== "csv" && !this.#world.isTwin) this.cursor = this.#last.at(-1) ?? this.cursor;
  }
}

async function nameOf({ connection }: TestStores): Promise<string> {
  const [rows] = await connection.query("SELECT DATABASE() AS name");
  return (rows as { name: string }[])[0]?.name ?? "";
}

/** Nobody has a session of that person yet. */
function unlessNothing(error: unknown): undefined {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "not_found") throw error;
}

async function readToEnd(reader: Reader, mostReads: number): Promise<void> {
  for (let reads = 0; !(await reader.read(0)); reads += 1) {
    if (reads > mostReads) throw new Error("an export that never ends");
  }
}

type Step = (world: World) => Promise<unknown>;

const skew = fc.integer({ min: -2_500, max: 2_500 });
const which = fc.nat(1_000);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 30_000 }).map(
      (ms): Step =>
        (world) =>
          world.tick(ms),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(skew, fc.constantFrom(1 as const, 2 as const), fc.boolean()).map(
      (made): Step =>
        (world) =>
          world.create(...made),
    ),
  },
  {
    weight: 4,
    arbitrary: which.map(
      (chosen): Step =>
        (world) =>
          world.commitSome(chosen),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(which, skew).map(
      ([chosen, ahead]): Step =>
        async ({ readers }) =>
          readers[chosen % readers.length]?.read(ahead),
    ),
  },
  {
    weight: 1,
    arbitrary: which.map(
      (chosen): Step =>
        async ({ readers }) =>
          readers[chosen % readers.length]?.cut(),
    ),
  },
  {
    weight: 1,
    arbitrary: which.map(
      (chosen): Step =>
        (world) =>
          world.erase(chosen),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(
      (count): Step =>
        (world) =>
          world.replicate(count),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 300_000 }).map(
      (ms): Step =>
        async (world) =>
          world.moveTwinClock(ms),
    ),
  },
);

/** Any order of steps, and afterwards every reader has every session. */
export async function proveExports(databases: ExportDatabases, circumstances: Circumstances): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 60, size: "max" }), async (chosen) => {
      const world = new World(databases, circumstances);
      try {
        for (const step of chosen) await step(world);
      } finally {
        await world.settle();
      }
      const left = world.sessions.filter(({ isErased }) => !isErased);
      for (const reader of world.readers) {
        // The end of what it began before may come without what was stored meanwhile; the cursor there stands before
        // that.
        for (const _export of ["begun", "later"]) await readToEnd(reader, 10 + world.sessions.length);
        const wanted = left.filter(
          ({ version, isPersons }) =>
            (reader.kind !== "csv" || version === 1) && (reader.kind !== "person" || isPersons),
        );
        expect([reader.kind, wanted.filter(({ id }) => !reader.seen.has(id))]).toEqual([reader.kind, []]);
      }
    }),
    { numRuns: howMany(60, 30), endOnFailure: true },
  );
}
