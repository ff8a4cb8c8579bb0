// Cases of retries: idempotency keys, and what is idempotent by nature.
import { expect } from "vitest";
import { CreateSessionRequestSchema } from "../../../../src/gen/assessment/v1/session_service_pb.ts";
import { listEnumWords } from "../../../../src/json/bounds.ts";
import { answer, bodyOf, type Cases, completedSession, expectRefused, uniqueId } from "../case.ts";

export const idempotencyCases: Cases = {
  "the same idempotency key with the same request returns the same session again": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const input = { subject: { externalId: uniqueId("person") }, metadata: { a: 1 } };
    const first = await transport.createSession(as, input);
    const again = await transport.createSession(as, { ...input, metadata: { a: 2 } });
    expect(again.replayed).toBe(true);
    expect(first.replayed).toBe(false);
    expect(bodyOf(again)).toEqual(bodyOf(first));
  },
  "an anonymous session is the same one again, too": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    expect(bodyOf(await transport.createSession(as, {}))).toEqual(
      bodyOf(await transport.createSession(as, { subject: {} })),
    );
  },
  "a hosted session's replay gives a further link to the same session": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const input = { mode: "hosted", redirectUrl: "https://partner.example/" } as const;
    const first = bodyOf(await transport.createSession(as, input));
    const again = bodyOf(await transport.createSession(as, input));
    expect(again.sessionId).toBe(first.sessionId);
    expect(again.hostedUrl).not.toBe(first.hostedUrl);
  },
  "the same key with another request is refused": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    bodyOf(await transport.createSession(as, {}));
    for (const input of [{ subject: { externalId: "x" } }, { locale: "en" }, { redirectUrl: "https://a.example" }]) {
      expectRefused(await transport.createSession(as, input), "idempotency_key_reused");
    }
  },
  "a value that is the default is the same request as none, and every other value is another request": async ({
    transport,
    alice,
  }) => {
    const chosen = CreateSessionRequestSchema.fields.filter((field) => field.enum !== undefined);
    expect(chosen.length).toBeGreaterThan(2);
    const hostedMode = { mode: "hosted", redirectUrl: "https://a.example" };
    for (const field of chosen) {
      const base = field.jsonName === "mode" ? { redirectUrl: hostedMode.redirectUrl } : hostedMode;
      const as = { ...alice, idempotencyKey: uniqueId("key") };
      const { sessionId } = bodyOf(await transport.createSession(as, base));
      const [byDefault = "", ...others] = field.enum === undefined ? [] : listEnumWords(field.enum);
      const again = await transport.createSession(as, { ...base, [field.jsonName]: byDefault });
      expect([field.jsonName, bodyOf(again).sessionId]).toEqual([field.jsonName, sessionId]);
      for (const other of others) {
        const input = { ...base, [field.jsonName]: other };
        expectRefused(await transport.createSession(as, input), "idempotency_key_reused");
      }
    }
  },
  "keys of two partners, and keys that differ in case, are different keys": async ({ transport, alice, bob }) => {
    const key = uniqueId("Key");
    const ids = [
      bodyOf(await transport.createSession({ ...alice, idempotencyKey: key }, {})).sessionId,
      bodyOf(await transport.createSession({ ...bob, idempotencyKey: key }, {})).sessionId,
      bodyOf(await transport.createSession({ ...alice, idempotencyKey: key.toUpperCase() }, {})).sessionId,
    ];
    expect(new Set(ids).size).toBe(3);
  },
  "a refused request does not use its key up": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    expectRefused(await transport.createSession(as, { locale: "?" }), "invalid_request", [
      { pointer: "#/locale", code: "invalid_format" },
    ]);
    expect((await transport.createSession(as, {})).replayed).toBe(false);
  },
  "erasing the person frees the key": async ({ transport, alice }) => {
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const externalId = uniqueId("person");
    const first = bodyOf(await transport.createSession(as, { subject: { externalId } }));
    bodyOf(await transport.eraseSubject(alice, externalId));
    const second = await transport.createSession(as, { subject: { externalId } });
    expect(second.replayed).toBe(false);
    expect(bodyOf(second).sessionId).not.toBe(first.sessionId);
  },
  "an ill-formed idempotency key is refused": async ({ transport, alice }) => {
    for (const idempotencyKey of ["two words", "k".repeat(256)]) {
      expectRefused(await transport.createSession({ ...alice, idempotencyKey }, {}), "invalid_request", [
        { pointer: "#", code: "invalid_idempotency_key" },
      ]);
    }
  },
  "a completed session accepts identical answers again, and no others": async (world) => {
    const { transport, alice } = world;
    const { sessionId, answers, completed } = await completedSession(world);
    expect(bodyOf(await transport.recordAnswers(alice, sessionId, { answers: answers.slice(0, 3) })).recorded).toBe(3);
    expect(bodyOf(await transport.completeSession(alice, sessionId))).toEqual(completed);
    expect(bodyOf(await transport.completeSession(alice, sessionId, { answers }))).toEqual(completed);
    const [one] = answers;
    if (one === undefined) throw new Error("no answer");
    const other = [answer(one.questionId, 8 - one.response.value === one.response.value ? 1 : 8 - one.response.value)];
    expectRefused(await transport.recordAnswers(alice, sessionId, { answers: other }), "session_completed");
    expectRefused(await transport.completeSession(alice, sessionId, { answers: other }), "session_completed");
    expect(bodyOf(await transport.getSessionResults(alice, sessionId)).results).toEqual(completed.results);
  },
};
