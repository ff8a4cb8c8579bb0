// Faults in bounds, in pages and in what is left behind.
import type { Mutant } from "./mutant.ts";

const retention = { project: "mariadb", tests: ["test/store/deletion/retention.test.ts"] } as const;
const exported = { project: "mariadb", tests: ["test/gateway/exports.test.ts"] } as const;
const quality = { project: "pure", tests: ["test/values-bridge/quality/error.test.ts"] } as const;

const jobs = { project: "mariadb", tests: ["test/store/deletion/clock-doubt.test.ts"] } as const;

export const limitMutants: readonly Mutant[] = [
  {
    fault: "a run ends expired sessions of the first page alone",
    file: "src/domain/sessions/lifecycle.ts",
    replace: "if (due.length < mostAtOnce) break;",
    by: "break;",
    ...jobs,
  },
  {
    fault: "a run looks at the clocks of the first test twins alone",
    file: "src/domain/sandbox/expired-sessions.ts",
    replace: "if (clocks.length < mostAtOnce) break;",
    by: "break;",
    ...jobs,
  },
  {
    fault: "a run closes the groups of the first page alone",
    file: "src/domain/groups/closing.ts",
    replace: "if (due.length < mostAtOnce || closed === before) return closed;",
    by: "if (due.length >= 0 || closed === before) return closed;",
    ...jobs,
  },
  {
    fault: "a run applies the policies of the first page alone",
    file: "src/domain/retention/retention.ts",
    replace: "if (page.length < mostAtOnce) return;",
    by: "return;",
    ...jobs,
  },
  {
    fault: "a run deletes the first sessions of a policy alone",
    file: "src/domain/retention/retention.ts",
    replace: "begin < ids.length; begin += mostAtOnce",
    by: "begin < Math.min(1, ids.length); begin += mostAtOnce",
    ...jobs,
  },
  {
    fault: "a run removes the first ended chains of the audit log alone",
    file: "src/domain/audit/retention.ts",
    replace: "if (ended.length < (deps.mostAtOnce ?? maxAnchored)) return;",
    by: "return;",
    ...jobs,
  },
  {
    fault: "an export that nobody reads keeps its client's place for a day",
    file: "src/gateway/exports/open-exports.ts",
    replace: "this.#timers.after(maxExportMs + graceMs,",
    by: "this.#timers.after((maxExportMs + graceMs) * 1000,",
    ...exported,
  },
  {
    fault: "the first page with a row is looked for without end",
    file: "src/gateway/exports/first-rows.ts",
    replace: "!page.atEnd && time.now() < end && isWanted()",
    by: "!page.atEnd && isWanted()",
    ...exported,
  },
  {
    fault: "pages are read beyond the last one",
    file: "src/gateway/exports/first-rows.ts",
    replace: "page.sessions.length === 0 && !page.atEnd && time.now() < end",
    by: "page.sessions.length === 0 && time.now() < end",
    ...exported,
  },
  {
    fault: "policies of hosted sessions are passed over where a page ends",
    file: "src/store/retention/session-policy-store.ts",
    replace: "mode > ?) ORDER BY",
    by: "mode < ?) ORDER BY",
    ...retention,
  },
  {
    fault: "when the last answer came stays when answers are deleted",
    file: "src/store/sessions/session-data.ts",
    replace: "last_answer_at = NULL, ",
    by: "",
    ...retention,
  },
  {
    fault: "a check refuses after the window has ended",
    file: "src/pipeline/limits/rate-limits.ts",
    replace: "window !== undefined && window.endsAt > now && window.used >= requests",
    by: "window !== undefined && window.used >= requests",
    project: "mariadb",
    tests: ["test/pipeline/rate-limits.test.ts"],
  },
  {
    fault: "whoever is refused by a limit is told to come back in a second",
    file: "src/pipeline/limits/rate-limits.ts",
    replace: "Math.max(1, Math.ceil(seconds))",
    by: "Math.min(1, Math.ceil(seconds))",
    project: "mariadb",
    tests: ["test/pipeline/rate-limits.test.ts"],
  },
  {
    fault: "a client whose first waiting call ends has room for all of them anew",
    file: "src/pipeline/limits/waiting-calls.ts",
    replace: "if (left === 0) this.#byClient.delete(clientId);",
    by: "if (left >= 0) this.#byClient.delete(clientId);",
    project: "mariadb",
    tests: ["test/pipeline/waiting-calls.test.ts"],
  },
  {
    fault: "a window that was renewed is forgotten first",
    file: "src/pipeline/limits/rate-limits.ts",
    replace: "    this.#windows.delete(key);\n    const [first]",
    by: "    const [first]",
    project: "mariadb",
    tests: ["test/pipeline/rate-limits.test.ts"],
  },
  {
    fault: "a call that was over while it waited takes a slot for ever",
    file: "src/pipeline/interceptors/admit.ts",
    replace: "      signal.throwIfAborted();\n",
    by: "",
    project: "mariadb",
    tests: ["test/pipeline/long-polls.test.ts"],
  },
  {
    fault: "values without a gap count among those that are compared",
    file: "src/products/values-bridge/quality/error/gaps.ts",
    replace: "gaps.filter((gap) => gap !== null).length",
    by: "gaps.length",
    ...quality,
  },
  {
    fault: "the certainty of a gap is judged without its error",
    file: "src/products/values-bridge/quality/error/gaps.ts",
    replace: "certaintyOf(gap.gap / error, count)",
    by: "certaintyOf(gap.gap, count)",
    ...quality,
  },
  {
    fault: "a report tells values apart of which too few have a score",
    file: "src/products/values-bridge/report/model/facts.ts",
    replace: "scores.length < constants.minBaselineValues",
    by: "scores.length < 0",
    project: "pure",
    tests: ["test/values-bridge/report/rules.test.ts"],
  },
  {
    fault: "a report tells nothing apart where just enough values have a score",
    file: "src/products/values-bridge/report/model/facts.ts",
    replace: "scores.length < constants.minBaselineValues",
    by: "scores.length <= constants.minBaselineValues",
    project: "pure",
    tests: ["test/values-bridge/report/rules.test.ts"],
  },
];
