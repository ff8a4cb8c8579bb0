// People of a partner for tests of norms: put where the service keeps them, counted, and their numbers computed.

import { openDatabase } from "../../../src/database/database.ts";
import { countSessions } from "../../../src/domain/norms/count.ts";
import { computeNorms } from "../../../src/domain/norms/pass.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { createStores } from "../../../src/store/stores.ts";
import type { TestApp } from "../../support/app.ts";
import { at, someRecording, someSession } from "../../support/builders.ts";
import { onEachShard } from "../../support/databases/shards.ts";
import { testDomain } from "../../support/domain.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";

/** The attentive answers of a worked case, in asking order. */
export const attentive = vector<{ answers: readonly number[] }, unknown>("P04").input.answers;

const { signal } = new AbortController();
const connections = 4;

/** A session to store. */
export interface Completed extends Completing {
  readonly externalId: string;
  readonly answers: readonly number[];
}

export interface Completing {
  /** Milliseconds into a day of the tests at which the session was completed; 0 unless given. */
  readonly ms?: number;
  /** Not known unless given. */
  readonly shownLanguage?: string;
}

export interface People {
  readonly db: ReturnType<typeof openDatabase>;
  /** Stores a completed session of the published version. @returns its id */
  complete(partnerId: string, externalId: string, answers: readonly number[], completing?: Completing): Promise<string>;
  /** Stores several, as fast as the database takes them. */
  completeAll(partnerId: string, sessions: readonly Completed[]): Promise<void>;
  /** Counts all sessions that wait for it: one that the log of events holds at the time is passed over. */
  count(): Promise<void>;
  /** Computes the numbers of all sets that have changed. */
  compute(): Promise<void>;
  close(): Promise<void>;
}

/** For an app whose own counting of norms is off. */
export function openPeople(app: TestApp): People {
  const db = openDatabase({ address: app.database.address, poolSize: connections, warn: () => undefined });
  const stores = createStores(db);
  const domain = testDomain(stores);
  const complete: People["complete"] = async (partnerId, externalId, answers, completing = {}) => {
    const { ms = 0, shownLanguage = null } = completing;
    const assessment = await domain.catalogue.published("values-bridge");
    const session = someSession({ partnerId, externalId, assessmentId: assessment.id });
    await stores.sessions.insertSession(session, signal);
    const results = encodeResults(assessment.scorer.score(answers));
    const completion = { ...someRecording(answers, { shownLanguage }), completedAt: at(ms), results };
    await stores.sessions.saveCompletion(session, 0, completion, signal);
    return session.id;
  };
  return {
    db,
    complete,
    async completeAll(partnerId, sessions) {
      const left = sessions.values();
      const lane = async () => {
        for (const { externalId, answers, ...completing } of left) {
          await complete(partnerId, externalId, answers, completing);
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
    },
    async count() {
      await onEachShard(app.database.address, async (shard) => {
        while ((await countSessions({ ...domain, ...shard }, signal, async () => true)) > 0);
      });
    },
    compute: () => onEachShard(app.database.address, (shard) => computeNorms({ ...domain, ...shard }, signal)),
    close: () => db.destroy(),
  };
}
