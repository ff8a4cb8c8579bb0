// Faults in the closing of groups: in who counts, and in what is withheld.
import type { Mutant } from "./mutant.ts";

const groups = { project: "mariadb", tests: ["test/store/groups.test.ts"] } as const;
const histories = { project: "mariadb", tests: ["test/store/group-histories.test.ts"] } as const;
const closing = "src/domain/groups/closing.ts";
const joining = "src/store/groups/joining.ts";

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
  {
    fault: "an erasure changes a stored number of a closed group",
    file: joining,
    replace: "IF(held < :least, NULL, numbers)",
    by: "IF(held < :least, NULL, REPLACE(numbers, '.1', '.2'))",
    ...histories,
  },
  {
    fault: "numbers are withdrawn while five people are left",
    file: joining,
    replace: "const leastHeld = 5;",
    by: "const leastHeld = 6;",
    ...histories,
  },
  {
    fault: "numbers of four people stay",
    file: joining,
    replace: "const leastHeld = 5;",
    by: "const leastHeld = 4;",
    ...histories,
  },
  {
    fault: "whoever comes late joins a closed group",
    file: joining,
    replace: "group === undefined || group.is_closed === 1",
    by: "group === undefined",
    ...histories,
  },
  {
    fault: "people who are erased no longer tell two groups apart",
    file: "src/store/groups/alike.ts",
    replace: "people.length + other.members - 2 * Number(row?.shared ?? 0)",
    by: "people.length - Number(row?.shared ?? 0)",
    ...histories,
  },
];
