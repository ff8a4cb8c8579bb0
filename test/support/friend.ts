// A client that means well and wants to be served, whatever others do at the same time.
import { expect } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { restTransport } from "./transports/rest-transport.ts";
import { grpcTransport } from "./transports/rpc-transport.ts";
import type { Served } from "./transports/served.ts";
import type { Transport } from "./transports/transports.ts";

/** Sessions that a friend leaves in the database. */
export const sessionsOfFriend = 2;

/** One whole assessment over REST and one over gRPC, each on connections of its own. Throws where a step is refused. */
export async function playFriend({ httpUrl, grpcAddress, token }: Served): Promise<void> {
  for (const transport of [restTransport(httpUrl), grpcTransport(grpcAddress)]) {
    try {
      await playAssessment(transport, token);
    } finally {
      transport.close();
    }
  }
}

/** Waits until a friend is served. Before that it may be told to try again: a slow machine still clears up. */
export async function untilServed(service: Served): Promise<void> {
  await expect.poll(() => playFriend(service).then(() => "served", String)).toBe("served");
}

async function playAssessment(transport: Transport, token: string): Promise<void> {
  const externalId = `friend ${crypto.randomUUID()}`;
  const { sessionId } = bodyOf(await transport.createSession({ token }, { subject: { externalId } }));
  const answers = [answer(1001, 4), answer(1002, 2)];
  expect(await transport.recordAnswers({ token }, sessionId, { answers })).toMatchObject({
    ok: true,
    body: { recorded: 2 },
  });
  expect(await transport.completeSession({ token }, sessionId)).toMatchObject({
    ok: true,
    body: { status: "completed" },
  });
  expect(await transport.getLatestResults({ token }, externalId)).toMatchObject({ ok: true, body: { sessionId } });
}
