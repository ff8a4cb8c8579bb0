// Lines of exports are put together of texts. They say what the same session says as objects.
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { ExportedLines } from "../../src/gateway/exports/export-json.ts";
import { ExportedAnswerSchema, ExportedSessionSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { SessionMode, SessionStatus } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../src/kernel/json/message-json.ts";

const members = {
  sessionId: "01234567-89ab-7def-8123-456789abcdef",
  externalId: 'a "quoted"\n\u2028 name',
  mode: SessionMode.HEADLESS,
  status: SessionStatus.IN_PROGRESS,
  assessmentVersion: 1,
  createdAt: timestampFromMs(1_000),
};
const open = create(ExportedSessionSchema, members);
const someAnswer = create(ExportedAnswerSchema, { questionId: 7, value: 0 });
const completed = create(ExportedSessionSchema, {
  ...members,
  status: SessionStatus.COMPLETED,
  completedAt: timestampFromMs(2_000),
  answers: [someAnswer, { questionId: 2_147_483_647, value: 253 }],
  results: {
    overall: { archetypeId: 4, totalConflictScoreScaled: 0.25 },
    values: [{ valueId: 1, idealRankTier: "top", currentRankTier: "low", authenticityGapScaled: -0.5 }],
    pairings: [{ valuePairingId: 3 }],
  },
});
const exportedJson = toJson(ExportedSessionSchema);
const wholes = [
  { answers: true, results: true },
  { answers: true, results: false },
  { answers: false, results: true },
];

describe.each(wholes)("with answers $answers and results $results", (included) => {
  test.each([
    ["of an open session", open],
    ["of a completed session", completed],
    ["of another answer to the same question", { ...completed, answers: [{ ...someAnswer, value: 1 }] }],
  ])("the line %s is its JSON, to the byte", (_, session) => {
    const lines = new ExportedLines();
    for (const each of [completed, session]) {
      const { answers, results, ...head } = exportedJson(each);
      const parts = {
        ...(included.answers ? { answers: answers ?? [] } : {}),
        ...(included.results ? { results } : {}),
      };
      expect(lines.lineOf(each, included)).toBe(JSON.stringify({ ...head, ...parts }));
    }
  });
});
