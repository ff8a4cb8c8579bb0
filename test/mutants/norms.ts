// Faults in norms, and in what is told by them.
import type { Mutant } from "./mutant.ts";

const norms = { project: "mariadb", tests: ["test/store/norms.test.ts"] } as const;
const model = { project: "mariadb", tests: ["test/store/models/norms.test.ts"] } as const;
const removal = "src/store/norms/norm-removal.ts";
const count = "src/domain/norms/count.ts";

const ofPass = { project: "pure", tests: ["test/domain/norms/pass.test.ts"] } as const;

export const normMutants: readonly Mutant[] = [
  {
    fault: "a session in an export is compared with people who were shown another language",
    file: "src/domain/exports/export-subject.ts",
    replace: "session.shownLanguage}`",
    by: "session.assessmentId}`",
    ...norms,
  },
  {
    fault: "a change between two languages is called reliable",
    file: "src/domain/sessions/results/change.ts",
    replace: "from.assessmentId !== to.assessmentId || from.shownLanguage !== to.shownLanguage",
    by: "from.assessmentId !== to.assessmentId",
    ...norms,
  },
  {
    fault: "percentiles are told of a session of grade fail",
    file: "src/domain/sessions/results/quality.ts",
    replace: "quality.error === null ? null : await findNorms()",
    by: "await findNorms()",
    ...norms,
  },
  {
    fault: "a pair of sessions stays in the norms when its first session goes",
    file: removal,
    replace: "for (const row of [...own, ...paired])",
    by: "for (const row of own)",
    ...norms,
  },
  {
    fault: "whoever is erased is added to the norms once more",
    file: removal,
    replace: "deltas, -1));",
    by: "deltas, 1));",
    ...norms,
  },
  {
    fault: "norms of whom somebody has left count them still",
    file: removal,
    replace: "const live = set.live - deltas.length;",
    by: "const live = set.live;",
    ...norms,
  },
  {
    fault: "norms whom somebody has left are not computed anew",
    file: removal,
    replace: "fresh: Math.max(1, live)",
    by: "fresh: 0",
    ...norms,
  },
  {
    fault: "sessions in two languages make a pair",
    file: count,
    replace: "return first.shownLanguage === second.shownLanguage && ms >= retestFromMs",
    by: "return ms >= retestFromMs",
    ...norms,
  },
  {
    fault: "a session on the last day on which it makes a pair makes none",
    file: count,
    replace: "ms <= retestToMs",
    by: "ms < retestToMs",
    ...model,
  },
  {
    fault: "a session makes a pair with one of any age",
    file: count,
    replace: " && ms <= retestToMs",
    by: "",
    ...model,
  },
  {
    fault: "a person makes several pairs",
    file: count,
    replace: "if (!contributes || hasRetest) return none;",
    by: "if (!contributes) return none;",
    ...norms,
  },
  {
    fault: "a person whose first session does not count makes a pair",
    file: count,
    replace: "if (!contributes || hasRetest) return none;",
    by: "if (hasRetest) return none;",
    ...norms,
  },
  {
    fault: "the second session of a person that is counted in the same batch is a first one",
    file: count,
    replace:
      "      firsts.set(key, { subjectId, assessmentId, sessionId: id, contributes: role.contributes, hasRetest: false });\n",
    by: "      if (id === subjectId) firsts.set(key, { subjectId, assessmentId, sessionId: id, contributes: role.contributes, hasRetest: false });\n",
    ...norms,
  },
  {
    fault: "sets beyond those of one page are not rebuilt",
    file: "src/domain/norms/rebuild.ts",
    replace: "if (sets.length < mostAtOnce) return found;",
    by: "if (sets.length <= mostAtOnce) return found;",
    project: "mariadb",
    tests: ["test/store/norms.test.ts"],
  },
  {
    fault: "partners behind a page that is just full are in no release",
    file: "src/domain/norms/pool-release.ts",
    replace: "partnerIds.length < mostAtOnce) return pool;",
    by: "partnerIds.length <= mostAtOnce) return pool;",
    project: "mariadb",
    tests: ["test/store/norm-pools.test.ts"],
  },
  {
    fault: "a pass counts as long as there is something to count",
    file: "src/domain/norms/pass.ts",
    replace: "return begunAt < endAt;",
    by: "return begunAt < 100 * endAt;",
    ...ofPass,
  },
  {
    fault: "a slow batch is followed by a pause of any length",
    file: "src/domain/norms/pass.ts",
    replace: "Math.min(longestPauseMs, (monotonic() - begunAt) * (1 / share - 1))",
    by: "(monotonic() - begunAt) * (1 / share - 1)",
    ...ofPass,
  },
  {
    fault: "a version of few values has a release, whose percentiles nobody can have",
    file: "src/products/values-bridge/norms/pool/draw.ts",
    replace: " || values.length < leastCells",
    by: "",
    project: "pure",
    tests: ["test/values-bridge/norms/pool/estimates.test.ts"],
  },
  {
    fault: "of sessions that were completed in one moment those behind a page wait for the next pass",
    file: "src/store/norms/norm-statements.ts",
    replace: "(completed_at > :completedAt OR id > :id)",
    by: "completed_at > :completedAt",
    project: "mariadb",
    tests: ["test/store/norms.test.ts"],
  },
  {
    fault: "numbers wait for more than a hundredth of new people",
    file: "src/store/norms/norm-statements.ts",
    replace: "fresh * 100 >= live",
    by: "fresh * 100 > live",
    project: "mariadb",
    tests: ["test/store/norms.test.ts"],
  },
  {
    fault: "who completed while an assessment could not be loaded is left out of norms for ever",
    file: "src/domain/norms/count.ts",
    replace: '    if (error instanceof Refusal && error.code !== "not_found") throw error;\n',
    by: "",
    project: "mariadb",
    tests: ["test/store/norms.test.ts"],
  },
];
