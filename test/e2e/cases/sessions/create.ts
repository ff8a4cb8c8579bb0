// Cases of operation 1: creating a session.
import { expect } from "vitest";
import type { InputOf } from "../../../support/transports/transports.ts";
import { bodyOf, type Cases, expectRefused, newSession, uniqueId, type World } from "../case.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function refused(name: string, input: InputOf<"createSession">, pointer: string, code: string): Cases {
  return {
    [`create refuses ${name}`]: async ({ transport, alice }) => {
      expectRefused(await transport.createSession(alice, input), "invalid_request", [{ pointer, code }]);
    },
  };
}

function accepted(name: string, input: InputOf<"createSession">): Cases {
  return {
    [`create accepts ${name}`]: async (world) => {
      expect((await newSession(world, input)).mode).toBe("headless");
    },
  };
}

const externalId = ["#/subject/externalId"] as const;

export const createCases: Cases = {
  "a headless session carries the person and all questions with every field": async (world) => {
    const id = uniqueId("person");
    const created = await newSession(world, { subject: { externalId: id } });
    expect(created.sessionId).toMatch(uuid);
    expect(created.mode).toBe("headless");
    expect(created.subject).toEqual({ id: expect.stringMatching(uuid), externalId: id, anonymous: false });
    const { product, assessmentId, version, questions } = created.assessment;
    expect({ product, assessmentId, version }).toEqual({ product: "values-bridge", assessmentId: 1, version: 1 });
    expect(questions).toHaveLength(152);
    expect(questions.map((question) => question.id)).toEqual(questions.map((_, index) => 1001 + index));
    expect(questions[0]).toEqual({
      id: 1001,
      prompt: expect.stringMatching(/^In the life I want, .+\.$/),
      type: "likert",
      group: "ideal",
      position: 1,
      required: true,
      likertConfig: { min: 1, max: 7 },
      choices: [1, 2, 3, 4, 5, 6, 7].map((each) => ({ id: each, label: expect.any(String) })),
      valuesBridgeConfig: {
        valueId: 1,
        valueName: "Free Thinking",
        lifeContext: "ideal",
        inverse: false,
        omegaWeight: 1,
      },
    });
    expect(questions[151]).toMatchObject({ group: "current", prompt: expect.stringMatching(/^In my life today, /) });
  },
  "the same person keeps one subject id over sessions, and another partner's has another": async (world) => {
    const subject = { externalId: uniqueId("person") };
    const first = await newSession(world, { subject });
    const second = await newSession(world, { subject });
    const foreign = await newSession({ ...world, alice: world.bob }, { subject });
    expect(second.subject).toEqual(first.subject);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect(foreign.subject.id).not.toBe(first.subject.id);
  },
  "a person without an external id is anonymous and gets one": async (world) => {
    for (const input of [{}, { subject: {} }]) {
      const { subject } = await newSession(world, input);
      expect(subject).toEqual({ id: expect.stringMatching(uuid), externalId: `anon_${subject.id}`, anonymous: true });
    }
  },
  "a hosted session is returned with its link and when that ends": async ({ transport, alice, app }) => {
    const input = { mode: "hosted", redirectUrl: "https://partner.example/done?x=1", locale: "de-CH" } as const;
    const before = Date.now();
    const created = bodyOf(await transport.createSession(alice, input));
    expect(created).toMatchObject({
      mode: "hosted",
      hostedUrl: expect.stringContaining(`${app.httpUrl}/hosted/pas_hl_`),
    });
    expect(created).not.toHaveProperty("assessment");
    const lifetime = Date.parse(created.expiresAt ?? "") - before;
    expect(Math.round(lifetime / 86_400_000)).toBe(7);
  },
  ...accepted("the longest external id, counted in code points", { subject: { externalId: "😀".repeat(255) } }),
  ...refused("an empty external id", { subject: { externalId: "" } }, externalId[0], "too_short"),
  ...refused(
    "an external id of 256 code points",
    { subject: { externalId: "😀".repeat(256) } },
    externalId[0],
    "too_long",
  ),
  ...refused(
    "a redirectUrl of 2049 characters",
    { redirectUrl: `https://e.example/${"a".repeat(2031)}` },
    "#/redirectUrl",
    "too_long",
  ),
  "all violations of a request are named at once": async ({ transport, alice }) => {
    const input = {
      mode: "hosted",
      subject: { externalId: ".." },
      locale: "?",
      metadata: { ["k".repeat(41)]: 1 },
    } as const;
    expectRefused(await transport.createSession(alice, input), "invalid_request", [
      { pointer: "#/subject/externalId", code: "reserved" },
      { pointer: "#/redirectUrl", code: "required" },
      { pointer: "#/metadata", code: "too_long" },
      { pointer: "#/locale", code: "invalid_format" },
    ]);
  },
  "metadata is neither stored nor returned": async (world: World) => {
    const marker = uniqueId("metadata-marker");
    const created = await newSession(world, { metadata: { note: marker } });
    expect(JSON.stringify(created)).not.toContain(marker);
    const [rows] = await world.app.database.connection.query("SELECT * FROM sessions");
    expect(rows).not.toHaveLength(0);
    for (const row of rows as Record<string, unknown>[]) {
      for (const column of Object.values(row)) expect(String(column)).not.toContain(marker);
    }
  },
};
