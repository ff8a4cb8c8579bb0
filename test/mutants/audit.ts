// Faults in the audit log.
import type { Mutant } from "./mutant.ts";

const ofStore = { project: "mariadb", tests: ["test/store/audit.test.ts"] } as const;
const ofTrail = { project: "pure", tests: ["test/domain/audit/trail.test.ts"] } as const;

export const auditMutants: readonly Mutant[] = [
  {
    fault: "a cursor leads to records behind the end that was asked for",
    file: "src/domain/audit/listing.ts",
    replace: "return position.at < end.at ? position : end;",
    by: "return position;",
    project: "mariadb",
    tests: ["test/e2e/contract.test.ts"],
  },
  {
    fault: "records of the audit log go a day early",
    file: "src/domain/audit/retention.ts",
    replace: "retentionDays * dayMs + chainLifetimeMs",
    by: "retentionDays * dayMs",
    ...ofStore,
  },
  {
    fault: "an anchor names a chain more than it has room for",
    file: "src/domain/audit/anchors.ts",
    replace: "if (heads.length < mostAtOnce) continue;",
    by: "if (heads.length <= mostAtOnce) continue;",
    ...ofStore,
  },
  {
    fault: "chains beyond those of one anchor are never anchored",
    file: "src/domain/audit/anchors.ts",
    replace:
      "      if (heads.length < mostAtOnce) continue;\n      yield* this.#anchor(heads, signal);\n      heads = [];\n",
    by: "      if (heads.length === mostAtOnce) break;\n",
    ...ofStore,
  },
  {
    fault: "a chain is watched for one lifetime alone",
    file: "src/domain/audit/anchors.ts",
    replace: "const watchedMs = 2 * chainLifetimeMs;",
    by: "const watchedMs = chainLifetimeMs;",
    ...ofStore,
  },
  {
    fault: "calls that wait to be recorded have no bound",
    file: "src/domain/audit/trail.ts",
    replace: "    if (this.#waiting.length >= maxWaiting) return Promise.reject(notRecorded());\n",
    by: "",
    ...ofTrail,
  },
  {
    fault: "one call more waits to be recorded than there is room for",
    file: "src/domain/audit/trail.ts",
    replace: "this.#waiting.length >= maxWaiting",
    by: "this.#waiting.length > maxWaiting",
    ...ofTrail,
  },
  {
    fault: "an operator is told that an act is not recorded, not what went wrong with it",
    file: "src/domain/audit/acts.ts",
    replace: "await trail.record([{ ...about, outcome }]).catch(() => undefined);",
    by: "await trail.record([{ ...about, outcome }]);",
    ...ofTrail,
  },
  {
    fault: "a run removes the first anchors that hold nothing alone",
    file: "src/domain/audit/retention.ts",
    replace: "while (!signal.aborted && (await audit.removeAnchors(first, mostAtOnce, signal)) === mostAtOnce);",
    by: "await audit.removeAnchors(first, mostAtOnce, signal);",
    ...ofStore,
  },
];
