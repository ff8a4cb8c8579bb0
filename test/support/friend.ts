// A client that means well and wants to be served, whatever others do at the same time.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import type { Door } from "./doors/doors.ts";
import { restDoor } from "./doors/rest-door.ts";
import { grpcDoor } from "./doors/rpc-door.ts";
import type { Served } from "./doors/served.ts";

/** Sessions that a friend leaves in the database. */
export const sessionsOfFriend = 2;

/** One whole assessment over REST and one over gRPC, each on connections of its own. Throws where a step is refused. */
export async function playFriend({ httpUrl, grpcAddress, token }: Served): Promise<void> {
  for (const door of [restDoor(httpUrl), grpcDoor(grpcAddress)]) {
    try {
      await playAssessment(door, token);
    } finally {
      door.close();
    }
  }
}

async function playAssessment(door: Door, token: string): Promise<void> {
  const externalId = `friend ${crypto.randomUUID()}`;
  const { sessionId } = bodyOf(await door.createSession({ token }, { subject: { externalId } }));
  const answers = [answer(1001, 4), answer(1002, 2)];
  expect(await door.recordAnswers({ token }, sessionId, answers)).toMatchObject({ ok: true, body: { recorded: 2 } });
  expect(await door.completeSession({ token }, sessionId)).toMatchObject({ ok: true, body: { status: "completed" } });
  expect(await door.getLatestResults({ token }, externalId)).toMatchObject({ ok: true, body: { sessionId } });
}

/** Most looks, nearly two minutes of them: a test that waits for what never comes fails here, and says where. */
const maxLooks = 5_000;

/** Waits until it is so. Throws if that takes longer than anything here takes. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    if (await condition()) return;
    await pause(20);
  }
  throw new Error(`it never became so: ${condition}`);
}
