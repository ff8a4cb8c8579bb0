// Cases of operation 7: the published assessment.
import { expect } from "vitest";
import { bodyOf, type Cases, expectRefused, newSession } from "./case.ts";

export const assessmentCases: Cases = {
  "new sessions get the published assessment, which is found by its version as well": async (world) => {
    const { assessment } = await newSession(world);
    expect(bodyOf(await world.transport.getPublishedAssessment(world.alice))).toEqual(assessment);
    expect(bodyOf(await world.transport.getPublishedAssessment(world.alice, { version: assessment.version }))).toEqual(
      assessment,
    );
  },
  "every call accepts the same greatest version": async ({ transport, alice }) => {
    const version = 2 ** 31 - 1;
    expectRefused(await transport.getPublishedAssessment(alice, { version }), "not_found");
    expectRefused(await transport.getNorms(alice, { version }), "not_found");
    expectRefused(await transport.getCodebook(alice, { version }), "not_found");
    expectRefused(await transport.exportSessions(alice, { version }), "not_found");
    expect(bodyOf(await transport.listSessions(alice, { version })).sessions).toEqual([]);
  },
};
