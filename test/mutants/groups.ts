// Faults in the closing of groups: in who counts, and in what is withheld.
import type { Mutant } from "./mutant.ts";

const groups = { project: "mariadb", tests: ["test/store/groups.test.ts"] } as const;
const closing = "src/domain/groups/closing.ts";

export const groupMutants: readonly Mutant[] = [
  {
    fault: "two groups that differ by four people both have numbers",
    file: closing,
    replace: "mostDifferent: 4",
    by: "mostDifferent: 3",
    ...groups,
  },
  {
    fault: "a group whose time has come closes when the job comes",
    file: closing,
    replace: "await close(deps, group, group.closesAt ?? now, signal)",
    by: "await close(deps, group, now, signal)",
    ...groups,
  },
  {
    fault: "who completes after the closing counts",
    file: closing,
    replace: "if (!isBefore(session, closedAt) || (known",
    by: "if ((known",
    ...groups,
  },
  {
    fault: "a group closes while an earlier release erases people and leaves them among the members",
    file: closing,
    replace: "  if (!deps.isRolledOut()) {\n    throw",
    by: "  if (deps.isRolledOut === undefined) {\n    throw",
    ...groups,
  },
  {
    fault: "the first session of a person counts, not the latest",
    file: closing,
    replace: "!isLater(session, known.session)",
    by: "isLater(session, known.session)",
    ...groups,
  },
];
