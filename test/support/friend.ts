// A client that means well and wants to be served, whatever others do at the same time.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import type { Door } from "./doors.ts";
import { restDoor } from "./rest-door.ts";
import { grpcDoor } from "./rpc-door.ts";
import type { Served } from "./served.ts";

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

/** Waits until it is so. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}
