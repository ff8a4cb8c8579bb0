// A partner's idempotency key belongs to one session, until the session is gone.

import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { CreateSessionRequestSchema, SessionMode } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { dayMs } from "../../../src/kernel/environment.ts";
import { createSession } from "../../../src/services/sessions/create-session.ts";
import { at, someAssessment, someGroup, someId, someRecording, someSession } from "../../support/builders.ts";
import { storeCompleted } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { someCall, testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment(), signal);

/** A session with a key, another one with the same key, and one with another key. */
function threeWithKeys(changes: Partial<NewSession>) {
  const withKey = (key: string) => {
    return { ...someSession(changes), idempotency: { key, requestHash: randomBytes(32) } };
  };
  return { first: withKey("k"), again: withKey("k"), other: withKey("other") };
}

test("a key of a group's session answers as before once the group is closed, and another one does not", async () => {
  const partnerId = someId();
  const group = someGroup({ partnerId });
  await database.groups.insertGroup(group, 10, signal);
  const { first, again, other } = threeWithKeys({ partnerId, groupId: group.id });
  expect(await database.sessions.insertSession(first, signal)).toBe("inserted");
  const closing = { closedAt: new Date(), closings: 0, members: [], outcome: { withheld: "too_few" } } as const;
  await database.groups.closeGroup(group, closing, signal);
  expect(await database.sessions.insertSession(first, signal)).toBe("inserted");
  expect(await database.sessions.insertSession(again, signal)).toBe("key_taken");
  expect(await database.sessions.insertSession(other, signal)).toBe("group_closed");
});

test("no session takes over ratings that are erased or deleted by then, and a key answers as before", async () => {
  for (const isErased of [true, false]) {
    const partnerId = someId();
    const short = await storeCompleted(database, { partnerId }, { completedAt: at(1) });
    const changes = { continues: short.id, ...someRecording([1, null]) };
    const { first, again, other } = threeWithKeys({ partnerId, ...changes });
    expect(await database.sessions.insertSession(first, signal)).toBe("inserted");
    expect(await database.sessions.findSession(first, signal)).toMatchObject(changes);
    const { eraseSessions, eraseData } = database.sessions;
    if (isErased) await eraseSessions([short.id], { partnerId, erasedAt: at(2) }, signal);
    else await eraseData("answers", [short.id], { partnerId, deletedAt: at(2) }, signal);
    expect(await database.sessions.insertSession(first, signal)).toBe("inserted");
    expect(await database.sessions.insertSession(again, signal)).toBe("key_taken");
    expect(await database.sessions.insertSession(other, signal)).toBe("continued_gone");
    expect(await database.sessions.findSession(first, signal)).toMatchObject(changes);
    expect(await database.sessions.findSession(other, signal)).toBeUndefined();
  }
});

test("concurrent requests with a key create one session", async () => {
  const dependencies = testDependencies(database);
  const partnerId = someId();
  const creations = await Promise.all(Array.from({ length: 8 }, () => createOne(dependencies, partnerId)));
  expect(new Set(creations.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(creations.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test("a request that is repeated after the time of its link gets a link of seven days", async () => {
  let now = Date.now();
  const dependencies = testDependencies(database, { clock: () => now });
  const request = create(CreateSessionRequestSchema, {
    product: "small-example",
    mode: SessionMode.HOSTED,
    redirectUrl: "https://partner.example/done",
    idempotencyKey: "link",
    linkExpiresAt: timestampFromMs(now + dayMs),
  });
  const partnerId = someId();
  const call = someCall(partnerId, () => now);
  const send = () => createSession(dependencies, request, call);
  const first = await send();
  expect(first.variant.value).toMatchObject({ expiresAt: new Date(now + dayMs) });
  now += dayMs;
  const { sessionId, variant } = await send();
  expect(sessionId).toBe(first.sessionId);
  expect(variant.value).toMatchObject({ expiresAt: new Date(now + 7 * dayMs) });
});

/** The key of every request is `k`. */
function createOne(dependencies: ReturnType<typeof testDependencies>, partnerId: string) {
  const request = { product: "small-example", subject: { externalId: "Ada" }, idempotencyKey: "k" };
  return createSession(dependencies, create(CreateSessionRequestSchema, request), someCall(partnerId));
}
