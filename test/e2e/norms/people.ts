// People of a partner for tests of norms: put where the service keeps them, counted, and their numbers computed.

import { Database } from "../../../src/database/database.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { computeNorms } from "../../../src/services/norms/run.ts";
import { createStores } from "../../../src/store/stores.ts";
import type { TestApp } from "../../support/app.ts";
import { at, someRecording, someSession } from "../../support/builders.ts";
import { onEachShard } from "../../support/databases/shards.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";

const connections = 4;

export interface Completing {
  /** Milliseconds into a day of the tests at which the session was completed; 0 unless given. */
  readonly ms?: number;
  /** Not known unless given. */
  readonly shownLanguage?: string;
}

export interface People {
  /** Stores a completed session of the published version. @returns its id */
  complete(partnerId: string, externalId: string, answers: readonly number[], completing?: Completing): Promise<string>;
  /** Computes the norms of everybody who has completed. */
  compute(): Promise<void>;
  close(): Promise<void>;
}

/** For an app that computes no norms by itself. */
export function openPeople(app: TestApp): People {
  const db = new Database({ address: app.database.address, poolSize: connections, warn: () => undefined });
  const stores = createStores(db);
  const dependencies = testDependencies(stores);
  let nights = 0;
  const complete: People["complete"] = async (partnerId, externalId, answers, completing = {}) => {
    const { ms = 0, shownLanguage = null } = completing;
    const assessment = await dependencies.catalogue.getPublished("values-bridge");
    const session = someSession({ partnerId, externalId, assessmentId: assessment.id });
    await stores.sessions.insertSession(session, signal);
    const results = encodeResults(assessment.scorer.score(answers));
    const completion = { ...someRecording(answers, { shownLanguage }), completedAt: at(ms), results };
    await stores.sessions.saveCompletion(session, 0, completion, signal);
    return session.id;
  };
  return {
    complete,
    compute: () =>
      onEachShard(app.database.address, async (shard) => {
        nights += 1;
        const deps = { ...dependencies, ...shard, pause: async () => undefined };
        await computeNorms(deps, new Date(Date.UTC(2100, 0, nights)), signal);
      }),
    close: () => db.destroy(),
  };
}
