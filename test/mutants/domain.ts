// Faults in use cases.
import type { Mutant } from "./mutant.ts";

const ofKnownSessions = { project: "mariadb", tests: ["test/store/sessions/known-sessions.test.ts"] } as const;

const ofLinks = { project: "pure", tests: ["test/domain/hosted/links.test.ts"] } as const;

export const domainMutants: readonly Mutant[] = [
  {
    fault: "erasing a person stops after one batch",
    file: "src/domain/subjects/subjects.ts",
    replace: "begin < page.length; begin += sizes.batch",
    by: "begin < 1; begin += sizes.batch",
    project: "mariadb",
    tests: ["test/store/deletion/erasure-batches.test.ts"],
  },
  {
    fault: "erasing a person stops after one page",
    file: "src/domain/subjects/subjects.ts",
    replace: "while (page.length === sizes.page)",
    by: "while (page.length > sizes.page)",
    project: "mariadb",
    tests: ["test/store/deletion/erasure-batches.test.ts"],
  },
  {
    fault: "the failed load of an assessment is kept",
    file: "src/domain/assessments/catalogue.ts",
    replace: "loading.then((value) => value === undefined && forget(), forget);",
    by: "loading.then((value) => value === undefined && forget(), () => undefined);",
    project: "mariadb",
    tests: ["test/store/server/failed-loads.test.ts"],
  },
  {
    fault: "the failed load of signing keys is kept",
    file: "src/domain/hosted/completion-signing.ts",
    replace: "if (this.#stored === reading) this.#stored = undefined;",
    by: "",
    project: "mariadb",
    tests: ["test/store/server/failed-loads.test.ts"],
  },
  {
    fault: "results are given under the path of another product",
    file: "src/domain/sessions/sessions.ts",
    replace: `  if (assessment.product !== address.product) throw notFound();
  return assessment.resultsCodec`,
    by: "  return assessment.resultsCodec",
    project: "mariadb",
    tests: ["test/e2e/contract.test.ts"],
  },
  {
    fault: "a session is refused by what this process knows, not by what is stored",
    file: "src/domain/sessions/sessions.ts",
    replace: "    if (error instanceof Refusal) return undefined;\n",
    by: "",
    ...ofKnownSessions,
  },
  {
    fault: "what was to be stored of a session is known, stored or not",
    file: "src/domain/sessions/sessions.ts",
    replace: "      if (!(await save())) return undefined;\n",
    by: `      if (write !== undefined && saved !== undefined) deps.knownSessions.keep(saved);
      if (!(await save())) return undefined;
`,
    ...ofKnownSessions,
  },
  {
    fault: "maintenance stops after one batch",
    file: "src/domain/retention/maintenance.ts",
    replace:
      "while (!signal.aborted && (await maintenance.deleteExpired(mostAtOnce, await trustedClock.read(signal), signal)));",
    by: "if (!signal.aborted) await maintenance.deleteExpired(mostAtOnce, await trustedClock.read(signal), signal);",
    project: "mariadb",
    tests: ["test/store/deletion/maintenance.test.ts"],
  },
  {
    fault: "a test clock goes ten years ahead, less a millisecond",
    file: "src/domain/sandbox/test-clock.ts",
    replace: "aheadMs <= maxAheadMs",
    by: "aheadMs < maxAheadMs",
    project: "mariadb",
    tests: ["test/store/partners/test-clocks.test.ts"],
  },
  {
    fault: "a report link in a language without a report leaves its person's own languages aside",
    file: "src/domain/reports/report-browser-sessions.ts",
    replace: "locale === null ? languages : [locale, ...languages]",
    by: "locale === null ? languages : [locale]",
    project: "mariadb",
    tests: ["test/services/own-report.test.ts"],
  },
  {
    fault: "until when a link of a test twin shall work is read by the time of everybody",
    file: "src/domain/hosted/session-links.ts",
    replace: "linkExpiresAt.getTime() - aheadMs",
    by: "linkExpiresAt.getTime()",
    project: "mariadb",
    tests: ["test/store/partners/test-clocks.test.ts"],
  },
  {
    fault: "the most days that a policy may have are refused",
    file: "src/domain/retention/session-policies.ts",
    replace: "days <= most",
    by: "days < most",
    project: "mariadb",
    tests: ["test/services/session-policies.test.ts"],
  },
  {
    fault: "a page that holds the last group leads to an empty one",
    file: "src/domain/groups/groups.ts",
    replace: "found.length > limit",
    by: "found.length >= limit",
    project: "mariadb",
    tests: ["test/e2e/contract.test.ts"],
  },
  {
    fault: "a group may not close in exactly five years",
    file: "src/kernel/requests/group-request.ts",
    replace: "ahead <= maxOpenMs",
    by: "ahead < maxOpenMs",
    project: "pure",
    tests: ["test/kernel/requests/bounds.test.ts"],
  },
  {
    fault: "usage is told to be counted to the end where a batch was full",
    file: "src/store/usage/usage-store.ts",
    replace: "const isEnd = events.length < limit;",
    by: "const isEnd = events.length <= limit;",
    project: "mariadb",
    tests: ["test/store/partners/usage.test.ts"],
  },
  {
    fault: "the second mode of a partner is left out of the usage of all where a page ends",
    file: "src/store/usage/usage-store.ts",
    replace: "(day, partner_id, mode) > (:afterDay, :afterPartnerId, :afterMode)",
    by: "(day, partner_id) > (:afterDay, :afterPartnerId) AND :afterMode IS NOT NULL",
    project: "mariadb",
    tests: ["test/store/partners/usage.test.ts"],
  },
  {
    fault: "a link works in the moment in which it ends",
    file: "src/domain/hosted/hosted-sessions.ts",
    replace: "link.expiresAt.getTime() <= clock()",
    by: "link.expiresAt.getTime() < clock()",
    ...ofLinks,
  },
  {
    fault: "a browser session lasts in the moment in which it ends",
    file: "src/domain/hosted/hosted-sessions.ts",
    replace: "browserSession.expiresAt.getTime() <= clock()",
    by: "browserSession.expiresAt.getTime() < clock()",
    ...ofLinks,
  },
  {
    fault: "a report tells to the millisecond when it was viewed",
    file: "src/domain/reports/report-browser-sessions.ts",
    replace: "now - (now % minuteMs)",
    by: "now",
    project: "mariadb",
    tests: ["test/services/own-report.test.ts"],
  },
  {
    fault: "a session whose answers are erased later was cancelled later",
    file: "src/domain/sessions/lifecycle.ts",
    replace: "cancelledAt: cancelledAt ?? new Date(now)",
    by: "cancelledAt: new Date(now)",
    project: "mariadb",
    tests: ["test/store/sessions/lifecycle.test.ts"],
  },
];
