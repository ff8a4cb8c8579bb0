// How long a pass of norms works, and how long it leaves the database to others, by a time that only the test moves.
import { expect, test } from "vitest";
import type { CountedSession } from "../../../src/domain/norms/norm-port.ts";
import { runNormPass } from "../../../src/domain/norms/pass.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { twinOf } from "../../../src/kernel/test-tenant.ts";
import { at, someId, someSession } from "../../support/builders.ts";

const { signal } = new AbortController();

/** A pass over sessions without end, each batch of which takes so long. @param left batches that there are */
async function passOver(batchMs: number, left = Number.POSITIVE_INFINITY) {
  const state = { now: 1_000, batches: 0, computed: 0 };
  const pauses: number[] = [];
  // Of a test twin, which counts for nothing.
  const session = { ...someSession({ partnerId: twinOf(someId()) ?? "" }), completedAt: at(0) };
  const norms = {
    listUncounted: async () => (state.batches < left ? [session] : []),
    findFirstSessions: async () => [],
    async count() {
      state.batches += 1;
      state.now += batchMs;
    },
    async listStale() {
      state.computed += 1;
      return [];
    },
  };
  const pause = async (ms: number) => {
    pauses.push(ms);
    state.now += ms;
  };
  await runNormPass({ norms, monotonic: () => state.now, pause } as never, signal);
  return { batches: state.batches, computed: state.computed, pauses: [...new Set(pauses)] };
}

test("a batch has a twentieth of the time, and none begins after thirty seconds", async () => {
  expect(await passOver(100)).toEqual({ batches: 15, computed: 1, pauses: [1_900] });
  expect(await passOver(101)).toEqual({ batches: 15, computed: 1, pauses: [1_919] });
});

test("a pause is ten seconds at most, however long a batch takes", async () => {
  expect(await passOver(10_000)).toEqual({ batches: 2, computed: 1, pauses: [10_000] });
});

test("a pass is over when nothing is left to be counted, and then computes", async () => {
  expect(await passOver(100, 3)).toEqual({ batches: 3, computed: 1, pauses: [1_900] });
  expect(await passOver(100, 0)).toEqual({ batches: 0, computed: 1, pauses: [] });
});

test("a database that is away while a session is read ends the pass, and the session is counted the next time", async () => {
  const away = new Refusal("unavailable", "The database is away.");
  const defects: unknown[] = [];
  const counted: unknown[] = [];
  const session = { ...someSession({ externalId: "p1" }), completedAt: at(0) };
  const passWith = (error: Error) => {
    const norms = {
      listUncounted: async () => (counted.length === 0 ? [session] : []),
      findFirstSessions: async () => [],
      count: async (sessions: CountedSession[]) => void counted.push(...sessions.map(({ role }) => role)),
      listStale: async () => [],
    };
    const catalogue = { byId: () => Promise.reject(error) };
    const reportDefect = (defect: unknown) => void defects.push(defect);
    const deps = { norms, catalogue, reportDefect, monotonic: () => 0, pause: async () => undefined };
    return runNormPass(deps as never, signal);
  };
  await expect(passWith(away)).rejects.toBe(away);
  expect([counted, defects]).toEqual([[], []]);
  const unreadable = new Error("it cannot be read");
  await passWith(unreadable);
  expect([counted, defects]).toEqual([[{ name: "first", contributes: false }], [unreadable]]);
});
