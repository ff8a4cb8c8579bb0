// Cases of the short form: half of the statements, told wherever a session is.
import { expect } from "vitest";
import { memberAnswers } from "../../../support/groups/members.ts";
import { bodyOf, type Cases, expectRefused, newSession, uniqueId } from "../case.ts";

export const formCases: Cases = {
  "a short session has half of the statements, and the same results with greater errors": async (world) => {
    const { transport, alice } = world;
    const errorsOf = async (form: "long" | "short") => {
      const session = await newSession(world, { form });
      expect([session.form, session.assessment.form]).toEqual([form, form]);
      const answers = memberAnswers(session.assessment, 5);
      const { results } = bodyOf(await transport.completeSession(alice, session.sessionId, { answers }));
      const { quality } = bodyOf(await transport.getSessionResults(alice, session.sessionId, { quality: true }));
      expect(bodyOf(await transport.getSession(alice, session.sessionId)).form ?? "long").toBe(form);
      const errors = quality?.error?.values.map(({ ideal, gap }) => [ideal?.standardError, gap?.standardError]) ?? [];
      return { questions: answers.length, values: Object.keys(results ?? {}), errors: errors.flat() };
    };
    const [long, short] = [await errorsOf("long"), await errorsOf("short")];
    expect([long.questions, short.questions]).toEqual([152, 76]);
    expect(short.values).toEqual(long.values);
    const mean = (all: readonly unknown[]) => all.reduce((sum: number, each) => sum + Number(each), 0) / all.length;
    expect(mean(short.errors)).toBeGreaterThan(mean(long.errors));
  },
  "lists, the assessment and the export of a person name the form, and two forms are not compared": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("person");
    for (const form of ["long", "short"] as const) {
      const { sessionId, assessment } = await newSession(world, { subject: { externalId }, form });
      bodyOf(await transport.completeSession(alice, sessionId, { answers: memberAnswers(assessment, 7) }));
    }
    const listed = bodyOf(await transport.listSessions(alice, { externalId })).sessions;
    expect(listed.map(({ form }) => form)).toEqual(["short", "long"]);
    const held = bodyOf(await transport.exportSubject(alice, externalId)).sessions;
    expect(held.map(({ form }) => form)).toEqual(["long", "short"]);
    const schema = bodyOf(await transport.getPublishedAssessment(alice, { form: "short" }));
    expect([schema.form, schema.questions.length]).toEqual(["short", 76]);
    const latest = bodyOf(await transport.getLatestResults(alice, externalId));
    expect(latest.sessionId).toBe(listed[0]?.sessionId);
    const [to, from] = listed.map(({ sessionId }) => sessionId);
    const change = bodyOf(await transport.getChange(alice, externalId, { from: from ?? "", to: to ?? "" }));
    expect(change).toMatchObject({ change: { reason: "wording" } });
    expectRefused(await transport.getChange(alice, externalId), "not_found");
  },
  "sessions of a group have its form": async (world) => {
    const { transport, alice } = world;
    const group = bodyOf(await transport.createGroup(alice, { label: "Short", form: "short" }));
    expect(group.form).toBe("short");
    const input = { subject: { externalId: uniqueId("person") }, groupId: group.groupId };
    expect((await newSession(world, input)).form).toBe("short");
    expectRefused(await transport.createSession(alice, { ...input, form: "long" }), "invalid_request", [
      { pointer: "#/form", code: "unknown_value" },
    ]);
  },
};
