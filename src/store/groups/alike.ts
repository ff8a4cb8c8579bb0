// Whether a group has nearly the members of one whose numbers its partner got before.
import type { Connection } from "mysql2";
import { readRows, readRowsOf } from "../../database/statement.ts";
import { listAlikeInSize, groupStatements as statements } from "./group-statements.ts";

interface AlikeQuestion {
  readonly partnerId: Buffer;
  readonly id: Buffer;
  readonly product: Buffer;
  /** The people of the group, who are stored as its members. */
  readonly people: readonly Buffer[];
  readonly mostDifferent: number;
}

/** Groups of a person that one statement lists. */
const page = 100;
const beforeAllIds = Buffer.alloc(16);

/**
 * Whether 1 to `mostDifferent` people are in one of two groups and not in the other. Of any `mostDifferent + 1` people of
 * the group one at least is in such another group, so the groups of so many people are looked at. Those who were erased
 * since are members whom nobody shares. No statement looks at more than the members of one group.
 */
export async function isTooAlike(
  connection: Connection,
  { partnerId, id, product, people, mostDifferent }: AlikeQuestion,
): Promise<boolean> {
  const seen = new Set<string>([id.toString("hex")]);
  for (const personId of people.slice(0, mostDifferent + 1)) {
    for (let after: Buffer = beforeAllIds; ; ) {
      const values = { partnerId, personId, after, limit: page };
      const rows = await readRows(connection, statements.listGroupsOfPerson, values);
      const candidates = rows.map((row): Buffer => row.group_id).filter((each) => !seen.has(each.toString("hex")));
      for (const each of candidates) seen.add(each.toString("hex"));
      const [least, most] = [people.length - mostDifferent, people.length + mostDifferent];
      const ofSize =
        candidates.length === 0
          ? []
          : await readRowsOf(connection, listAlikeInSize, [candidates, partnerId, product, least, most]);
      for (const other of ofSize) {
        const [row] = await readRows(connection, statements.countShared, {
          partnerId,
          id,
          otherId: other.id,
        });
        const different = people.length + other.members - 2 * Number(row?.shared ?? 0);
        if (different > 0 && different <= mostDifferent) return true;
      }
      if (rows.length < page) break;
      after = rows.at(-1)?.group_id ?? after;
    }
  }
  return false;
}
