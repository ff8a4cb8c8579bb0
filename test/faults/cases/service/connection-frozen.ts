// A process that stands still in the middle of a transaction of its pool, with a session locked.
import { expect, onTestFinished } from "vitest";
import { openDatabase } from "../../../../src/database/database.ts";
import { createStores } from "../../../../src/store/stores.ts";
import { someRecording, someSession } from "../../../support/builders.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../../../support/databases/database-proxy.ts";
import { erasePerson } from "../../../support/erasing.ts";
import { report } from "../../support/run/report.ts";
import { openStage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const { signal } = new AbortController();
/** A session is locked by then. */
const worstStatement = "INSERT INTO event_outbox";

export const connectionFrozen: FaultCase = {
  name: "the locks of a process that is frozen in the middle of an erasure are released",
  shortOn: [],
  async run(database) {
    const { partnerId } = await openStage(database);
    const proxy = await startDatabaseProxy(database.target);
    const frozen = storesAt(database.urlThrough(proxy.port));
    const others = storesAt(database.url);
    const session = someSession({ partnerId });
    await others.sessions.insertSession(session, signal);
    const stoodStill = freezeAt(proxy, worstStatement);
    const erasing = erasePerson(frozen.sessions, partnerId, session.externalId).catch(() => undefined);
    await stoodStill;
    const frozenAt = performance.now();
    const save = () => others.sessions.saveAnswers(session, 0, someRecording([1]), signal);
    await expect(save()).rejects.toMatchObject({ code: "unavailable" });
    // Whether it is written or erased meanwhile, nobody waits for it.
    await until("a session that nobody has locked", async () => typeof (await save()) === "boolean" || undefined);
    report("connection frozen", { "ms until its lock was free": performance.now() - frozenAt });
    await erasing;
  },
};

function storesAt(url: string) {
  const db = openDatabase({ address: { url }, poolSize: 1, warn: () => undefined });
  onTestFinished(() => db.destroy());
  return createStores(db);
}

/** Has the first connection that comes to the statement stand still there. */
function freezeAt(proxy: DatabaseProxy, statement: string): Promise<void> {
  return new Promise((resolve) => {
    proxy.choose = (each) => {
      if (!each.startsWith(statement)) return undefined;
      proxy.choose = () => undefined;
      resolve();
      return "frozen";
    };
  });
}
