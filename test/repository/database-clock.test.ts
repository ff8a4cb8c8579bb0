// What the store removes, and what it does by the clock of the database as it is: all of it is listed here. What
// removes or ends something for its age takes a trusted time as an argument, so that it cannot be called while the
// clock is in doubt.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What a file removes, by why that does not go by the clock: or `age`, for what a trusted time is needed for. */
const removals: Readonly<Record<string, string>> = {
  "src/store/audit/audit-store.ts": "age: chains, and the anchors that hold nothing else",
  "src/store/events/erasure.ts": "with an erased session",
  "src/store/events/event-store.ts": "age: events",
  "src/store/events/outbox.ts": "announced events leave the outbox",
  "src/store/retention/maintenance-store.ts": "age: tokens, links and browser sessions",
  "src/store/norms/norm-store.ts": "numbers of too few people, and counts that a run replaces",
  "src/store/identity/identity-store.ts": "secrets and tokens that somebody ends",
  "src/store/hosted/signing-key-store.ts": "age: keys that an operator replaced",
  "src/store/sessions/idempotency-store.ts": "age: keys; and those of a session with it",
  "src/store/sessions/session-statements.ts": "with an erased session",
  "src/store/sessions/session-data.ts": "the step of a person whose results are deleted",
  "src/store/sandbox/test-clock-store.ts": "a partner puts the clock of its twin back",
  "src/store/hosted/hosted-store.ts": "the oldest of too many links and browser sessions",
  "src/store/groups/group-statements.ts": "a group of too many; members who were compared and have no numbers",
  "src/store/groups/joining.ts": "members whose session is erased",
  "src/store/reports/report-access-store.ts": "somebody ends links, or takes a step away; the oldest of too many",
  "src/store/webhooks/delivery-changes.ts": "deliveries that were taken, or whose events are gone",
  "src/store/webhooks/expired-deliveries.ts": "age: attempts; deliveries of events that are no longer in the log",
  "src/store/webhooks/webhook-statements.ts": "endpoints and secrets that somebody ends",
};

/** What goes by the clock as it is, and how often: none of it removes or ends anything for good. */
const byTheClock: Readonly<Record<string, readonly [times: number, why: string]>> = {
  "src/database/clock.ts": [6, "reads and accepts it, and dates a write"],
  "src/store/events/event-store.ts": [1, "tells an age"],
  "src/store/events/captured-sessions.ts": [1, "dates what has no time of its own"],
  "src/store/events/sequencer-store.ts": [4, "dates events, wakes endpoints"],
  "src/store/jobs/job-lease-store.ts": [4, "leases, which end by themselves"],
  "src/store/identity/identity-store.ts": [1, "dates a use"],
  "src/store/usage/usage-store.ts": [1, "dates a count"],
  "src/store/sessions/idempotency-store.ts": [1, "dates the end of a new key"],
  "src/store/sessions/session-lifecycle.ts": [1, "dates an answer"],
  "src/store/sessions/session-statements.ts": [1, "dates an answer"],
  "src/store/sandbox/test-clock-store.ts": [1, "dates a clock"],
  "src/store/webhooks/delivery-changes.ts": [2, "dates claims, and what may be sent"],
  "src/store/webhooks/delivery-store.ts": [9, "finds endpoints that are due, and shortens pauses"],
  "src/store/webhooks/delivery-turns.ts": [2, "dates claims; leaves out secrets that have ended"],
  "src/store/webhooks/next-events.ts": [1, "tells what is due"],
  "src/store/webhooks/rows.ts": [1, "tells whether an endpoint rests"],
  "src/store/webhooks/webhook-statements.ts": [
    10,
    "dates pauses and ends, and ends pauses; leaves out secrets that have ended",
  ],
  "src/store/webhooks/webhook-store.ts": [1, "has parked events tried now"],
};

const files = globSync("src/{store,database}/**/*.ts").filter((file) => !file.includes("migrations"));
const textOf = (file: string) => readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "");

test("all that the store removes is known, and whether it goes by the clock", () => {
  const removing = files.filter((file) => /\bDELETE (?:\w+ )?FROM\b|\.delete\(\)/.test(textOf(file)));
  expect(removing.toSorted()).toEqual(Object.keys(removals).toSorted());
});

test("whatever goes by the clock of the database as it is, is known: it removes nothing", () => {
  const uses = files.flatMap((file) => {
    const times = [...textOf(file).matchAll(/\bNOW\(3\)|\bUTC_TIMESTAMP|\bCURRENT_TIMESTAMP|\bSYSDATE/g)].length;
    return times === 0 ? [] : [[file, times]];
  });
  expect(Object.fromEntries(uses)).toEqual(
    Object.fromEntries(Object.entries(byTheClock).map(([file, [times]]) => [file, times])),
  );
});

test("what removes for its age takes a trusted time, in every store", () => {
  const ports = [...globSync("src/domain/**/*-port.ts"), ...files].map((file) => readFileSync(file, "utf8")).join("\n");
  for (const method of [
    "deleteExpired",
    "deleteExpiredKeys",
    "freeKey",
    "expireEvents",
    "listExpiryDue",
    "nextDuePartner",
    "listDue",
    "saveExpiry",
    "saveReopening",
    "listDeletable",
    "deleteExpiredDeliveries",
    "saveDecidedQuarter",
    "saveRelease",
  ]) {
    expect(ports, method).toMatch(new RegExp(`\\b${method}\\([^;]*?TrustedTime`));
  }
});
