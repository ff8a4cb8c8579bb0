// Faults in groups: in who joins and counts, in what is withheld, and in the report.
import type { Mutant } from "./mutant.ts";

const groups = { project: "mariadb", tests: ["test/store/groups.test.ts"] } as const;
const histories = { project: "mariadb", tests: ["test/store/group-histories.test.ts"] } as const;
const closing = "src/domain/groups/closing.ts";
const joining = "src/store/groups/joining.ts";
const alike = "src/store/groups/alike.ts";
const store = "src/store/groups/group-store.ts";
const ofTeam = { project: "pure", tests: ["test/values-bridge/report/team.test.ts"] } as const;
const team = "src/products/values-bridge/report/team/team-model.ts";

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
    file: alike,
    replace: "people.length + other.members - 2 * Number(row?.shared ?? 0)",
    by: "people.length - Number(row?.shared ?? 0)",
    ...histories,
  },
  {
    fault: "a group is compared with the first hundred of a person alone",
    file: alike,
    replace: "if (rows.length < page) break;",
    by: "break;",
    ...groups,
  },
  {
    fault: "a group whose first four people are not in the other is told beside it",
    file: alike,
    replace: "people.slice(0, mostDifferent + 1)",
    by: "people.slice(0, mostDifferent)",
    ...groups,
  },
  {
    fault: "a group of the very same people is withheld",
    file: alike,
    replace: "different > 0 && different",
    by: "different >= 0 && different",
    ...groups,
  },
  {
    fault: "members beyond those of one page are in no numbers",
    file: closing,
    replace: "    if (sessions.length < mostAtOnce) break;\n    await yieldToCalls();",
    by: "    break;",
    ...groups,
  },
  {
    fault: "of two sessions of one moment any one counts",
    file: closing,
    replace: "one.id > other.id",
    by: "one.id < other.id",
    ...groups,
  },
  {
    fault: "a session joins in the moment in which its group closes",
    file: joining,
    replace: "closes_at <= :createdAt",
    by: "closes_at < :createdAt",
    ...groups,
  },
  {
    fault: "a group takes a session more than it may have",
    file: joining,
    replace: "group.joined < maxGroupSessions",
    by: "group.joined <= maxGroupSessions",
    ...groups,
  },
  {
    fault: "a partner has a group more than it may have",
    file: store,
    replace: "made >= most",
    by: "made > most",
    ...groups,
  },
  {
    fault: "people of a group without numbers stay among the members",
    file: store,
    replace: "          await execute(connection, statements.forgetMembers, name);\n",
    by: "",
    ...groups,
  },
  {
    fault: "who has completed without answers that are known has not begun",
    file: "src/store/groups/group-statements.ts",
    replace: " OR completed_at IS NOT NULL, external_id, NULL))\n      AS started",
    by: ", external_id, NULL))\n      AS started",
    ...groups,
  },
  {
    fault: "a team is told its gaps by what is wanted more, not by size",
    file: team,
    replace: "({ mean }) => -Math.abs(mean)",
    by: "({ mean }) => -mean",
    ...ofTeam,
  },
  {
    fault: "a team is told first where it is just apart enough",
    file: team,
    replace: "variance > pooled * share(z)).toReversed()",
    by: "variance > pooled * share(z))",
    ...ofTeam,
  },
  {
    fault: "what a team wants very much is drawn beyond the rim",
    file: team,
    replace: "Math.min(1, Math.max(0, 0.5 + points / (2 * reach)))",
    by: "0.5 + points / (2 * reach)",
    ...ofTeam,
  },
];
