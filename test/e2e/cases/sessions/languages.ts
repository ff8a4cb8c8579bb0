// Cases of languages and names: what a partner with pages of its own shows.
import { expect } from "vitest";
import { bodyOf, type Case, completedSession, expectRefused, fullAnswers, newSession, uniqueId } from "../case.ts";

const german = /^So möchte ich leben: /;

export const languageCases: readonly Case[] = [
  {
    name: "a headless session asks in the language that its locale has, and says which one that is",
    outcome: "ok",
    async run(world) {
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
  },
  {
    name: "a locale without texts gives the language of the assessment, and the response says so",
    outcome: "ok",
    async run(world) {
      expect((await newSession(world, { locale: "tlh" })).assessment.language).toBe("en");
    },
  },
  {
    name: "the published assessment is returned in the languages of its translations, and so is a version of it",
    outcome: "ok",
    async run(world) {
      const { assessment } = await newSession(world, { locale: "de" });
      expect(bodyOf(await world.transport.getAssessment(world.alice, undefined, "de-AT"))).toEqual(assessment);
      expect(bodyOf(await world.transport.getAssessment(world.alice, assessment.version, "de"))).toEqual(assessment);
      expect(bodyOf(await world.transport.getAssessment(world.alice, undefined, "en")).language).toBe("en");
    },
  },
  {
    name: "an invalid locale is refused by every call",
    outcome: "invalid_request",
    async run(world) {
      const { transport, alice } = world;
      const { sessionId } = await completedSession(world);
      for (const refused of [
        await transport.getAssessment(alice, undefined, "no tag"),
        await transport.getNames(alice, { sessionId }, "no tag"),
      ]) {
        expectRefused(refused, "invalid_request", [{ pointer: "#", code: "invalid_format" }]);
      }
    },
  },
  {
    name: "answers of a headless session have the language of its locale, and none without a locale",
    outcome: "ok",
    async run(world) {
      const { transport, alice } = world;
      for (const [locale, shown] of [
        ["de-CH", "de"],
        [undefined, null],
      ] as const) {
        const externalId = uniqueId("language");
        const created = await newSession(world, { subject: { externalId }, ...(locale && { locale }) });
        const [first, ...others] = fullAnswers(created);
        if (first === undefined) throw new Error("no question");
        bodyOf(await transport.recordAnswers(alice, created.sessionId, [first]));
        bodyOf(await transport.completeSession(alice, created.sessionId, others));
        const { sessions } = bodyOf(await transport.exportSubject(alice, externalId));
        expect(sessions).toMatchObject([{ shownLanguage: shown, locale: locale ?? null }]);
      }
    },
  },
  {
    name: "a redirectUrl of a headless session is named as unused, that of a hosted one is not",
    outcome: "ok",
    async run({ transport, alice }) {
      const redirectUrl = "https://partner.example/done";
      const subject = { externalId: uniqueId("unused") };
      expect((await transport.createSession(alice, { subject, redirectUrl })).unused).toBe("/redirectUrl");
      expect((await transport.createSession(alice, { subject, redirectUrl, mode: "hosted" })).unused).toBe("");
      expect((await transport.createSession(alice, { subject, locale: "de" })).unused).toBe("");
    },
  },
  {
    name: "results name values and archetype if that is asked for, in the session's language or another",
    outcome: "ok",
    async run(world) {
      const { transport, alice } = world;
      const externalId = uniqueId("names");
      const { sessionId, assessment, completed } = await completedSession(world, {
        subject: { externalId },
        locale: "de",
      });
      const { results, names } = bodyOf(await transport.getNames(alice, { sessionId }));
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
      expect(bodyOf(await transport.getNames(alice, { externalId })).names).toEqual(names);
      const english = bodyOf(await transport.getNames(alice, { externalId }, "en")).names;
      expect(english?.language).toBe("en");
      expect(english?.archetype?.summary).not.toBe(names?.archetype?.summary);
      expect(bodyOf(await transport.getSessionResults(alice, sessionId))).not.toHaveProperty("names");
    },
  },
];
