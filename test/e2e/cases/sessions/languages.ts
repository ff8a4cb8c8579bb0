// Cases of languages and names: what a partner with pages of its own shows.
import { expect } from "vitest";
import { uuidToBytes } from "../../../../src/kernel/ids.ts";
import { valuesBridge } from "../../../support/values-bridge/opened.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import {
  bodyOf,
  type Cases,
  completedSession,
  completedWith,
  expectRefused,
  fullAnswers,
  newSession,
  uniqueId,
} from "../case.ts";

const german = /^So möchte ich leben: /;

export const languageCases: Cases = {
  "a headless session asks in the language that its locale has, and says which one that is": async (world) => {
    const { assessment } = await newSession(world, { locale: "de-CH" });
    expect(assessment.language).toBe("de");
    const [first] = assessment.questions;
    expect(first?.prompt).toMatch(german);
    expect(first?.valuesBridgeConfig?.valueName).toBe(assessment.values[0]?.name);
    const { assessment: own } = await newSession(world);
    expect(own.language).toBe("en");
    expect(assessment.questions.map(({ id }) => id)).toEqual(own.questions.map(({ id }) => id));
    expect(assessment.questions.map(({ prompt }) => prompt)).not.toEqual(own.questions.map(({ prompt }) => prompt));
    expect(assessment.questions[0]?.choices).not.toEqual(own.questions[0]?.choices);
    expect(own.values.map(({ valueId, name }) => [valueId, name])).toContainEqual([1, "Free Thinking"]);
  },
  "a locale without texts gives the language of the assessment, and the response says so": async (world) => {
    expect((await newSession(world, { locale: "tlh" })).assessment.language).toBe("en");
  },
  "the published assessment is returned in the languages of its translations, and so is a version of it": async (
    world,
  ) => {
    const { assessment } = await newSession(world, { locale: "de" });
    expect(bodyOf(await world.transport.getPublishedAssessment(world.alice, { locale: "de-AT" }))).toEqual(assessment);
    expect(
      bodyOf(await world.transport.getPublishedAssessment(world.alice, { version: assessment.version, locale: "de" })),
    ).toEqual(assessment);
    expect(bodyOf(await world.transport.getPublishedAssessment(world.alice, { locale: "en" })).language).toBe("en");
  },
  "an invalid locale is refused by every call": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await completedSession(world);
    for (const refused of [
      await transport.getPublishedAssessment(alice, { locale: "no tag" }),
      await transport.getSessionResults(alice, sessionId, { includeNames: true, locale: "no tag" }),
    ]) {
      expectRefused(refused, "invalid_request", [{ pointer: "#", code: "invalid_format" }]);
    }
  },
  "answers of a headless session have the language of its locale, and none without a locale": async (world) => {
    const { transport, alice } = world;
    for (const [locale, shown] of [
      ["de-CH", "de"],
      [undefined, null],
    ] as const) {
      const externalId = uniqueId("language");
      const created = await newSession(world, { subject: { externalId }, ...(locale && { locale }) });
      const [first, ...others] = fullAnswers(created);
      if (first === undefined) throw new Error("no question");
      bodyOf(await transport.recordAnswers(alice, created.sessionId, { answers: [first] }));
      bodyOf(await transport.completeSession(alice, created.sessionId, { answers: others }));
      const { sessions } = bodyOf(await transport.exportSubject(alice, externalId));
      expect(sessions).toMatchObject([{ shownLanguage: shown, locale: locale ?? null }]);
    }
  },
  "a redirectUrl of a headless session is named as unused, that of a hosted one is not": async ({
    transport,
    alice,
  }) => {
    const redirectUrl = "https://partner.example/done";
    const subject = { externalId: uniqueId("unused") };
    expect((await transport.createSession(alice, { subject, redirectUrl })).unused).toBe("/redirectUrl");
    expect((await transport.createSession(alice, { subject, redirectUrl, mode: "hosted" })).unused).toBe("");
    expect((await transport.createSession(alice, { subject, locale: "de" })).unused).toBe("");
  },
  "a locale that the assessment has no texts in is named as unused, in both modes": async ({ transport, alice }) => {
    const redirectUrl = "https://partner.example/done";
    for (const request of [{}, { mode: "hosted", redirectUrl } as const]) {
      for (const [locale, unused] of [
        ["pl", "/locale"],
        ["english", "/locale"],
        ["de-CH", ""],
        ["fr", ""],
      ] as const) {
        const creation = await transport.createSession(alice, { ...request, locale });
        expect([locale, creation.ok, creation.unused]).toEqual([locale, true, unused]);
      }
    }
  },
  "results name values and archetype if that is asked for, in the session's language or another": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("names");
    const { sessionId, assessment, completed } = await completedSession(world, {
      subject: { externalId },
      locale: "de",
    });
    const { results, names } = bodyOf(await transport.getSessionResults(alice, sessionId, { includeNames: true }));
    expect(results).toEqual(completed.results);
    expect(names?.language).toBe("de");
    expect(names?.archetype).toEqual({
      archetypeId: results?.overall.archetypeId,
      name: expect.stringMatching(/./),
      summary: expect.stringMatching(/./),
    });
    expect(names?.values.map(({ valueId }) => valueId)).toEqual(results?.values.map(({ valueId }) => valueId));
    const byId = new Map(assessment.values.map((each) => [each.valueId, each]));
    for (const named of names?.values ?? []) expect(named).toEqual(byId.get(named.valueId));
    expect(bodyOf(await transport.getLatestResults(alice, externalId, { includeNames: true })).names).toEqual(names);
    const english = bodyOf(
      await transport.getLatestResults(alice, externalId, { includeNames: true, locale: "en" }),
    ).names;
    expect(english?.language).toBe("en");
    expect(english?.archetype?.summary).not.toBe(names?.archetype?.summary);
    expect(bodyOf(await transport.getSessionResults(alice, sessionId))).not.toHaveProperty("names");
  },
  "names and explanation tell of the archetype what the report on the session tells, in both forms": async (world) => {
    const { transport, alice } = world;
    const kinds = new Set<number>();
    for (const form of ["long", "short"] as const) {
      const definition = form === "long" ? longForm() : valuesBridge.toShortForm(longForm());
      if (definition === undefined) throw new Error("no short form");
      const personas = valuesBridge.open(definition, 1).getPersonas();
      for (const persona of ["archetype-1", "archetype-7", "straight-line", "null-scores"]) {
        const externalId = uniqueId("archetype");
        const input = { subject: { externalId }, form, locale: "de" };
        const { sessionId } = await completedWith(world, personas.findAnswers(persona) ?? [], input);
        const { names } = bodyOf(await transport.getSessionResults(alice, sessionId, { includeNames: true }));
        const { explanation } = bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true }));
        const { archetype } = bodyOf(await transport.getReport(alice, { sessionId })).summary;
        const between = archetype?.between ?? [];
        const certain = archetype?.name != null && between.length === 0;

        expect(names?.between.map(({ archetypeId, name }) => [archetypeId, name])).toEqual(
          between.map(({ archetypeId, name }) => [archetypeId, name?.text]),
        );
        expect(names?.archetypeCertain).toBe(certain);
        expect(explanation?.archetype).toMatchObject({
          certain,
          between: between.map(({ archetypeId }) => archetypeId),
        });
        expect(bodyOf(await transport.getLatestResults(alice, externalId, { includeNames: true })).names).toEqual(
          names,
        );
        kinds.add(certain ? 1 : between.length);
      }
    }
    expect(kinds).toEqual(new Set([0, 1, 2]));
  },
  "names say nothing of how certain an archetype is once the answers are deleted": async (world) => {
    const { app, transport, alice } = world;
    const { sessionId } = await completedSession(world);
    const deletes = "UPDATE sessions SET answers = '', answers_deleted_at = NOW(3) WHERE id = ?";
    await app.database.connection.query(deletes, [uuidToBytes(sessionId)]);
    const { results, names } = bodyOf(await transport.getSessionResults(alice, sessionId, { includeNames: true }));
    expect(names).toMatchObject({ archetype: { archetypeId: results?.overall.archetypeId }, between: [] });
    expect(names?.archetypeCertain ?? null).toBeNull();
    expectRefused(await transport.getReport(alice, { sessionId }), "not_found");
  },
};
