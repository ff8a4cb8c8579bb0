// Finds the groups that a closing group may be too similar to: those whose numbers its partner already has.
import type { Connection } from "mysql2";
import { readRows, readRowsOf } from "../../database/statement.ts";
import { isTooAlike, mostDifferent } from "../../domain/groups/similarity.ts";
import { listMembersOf, groupStatements as statements } from "./group-statements.ts";

/** Most members of other groups that are read: above it a group counts as too similar. */
const mostMembers = 100_000;

interface ClosingGroup {
  readonly partnerId: Buffer;
  readonly id: Buffer;
  readonly product: Buffer;
  /** Number of its stored members. */
  readonly size: number;
}

/** A group whose numbers were published. */
interface PublishedGroup {
  readonly id: Buffer;
  readonly size: number;
  /** Whether it contains all but a few members of the group that it was found for. */
  readonly isWhole: boolean;
}

/**
 * Whether numbers of the group, combined with those of a few published groups, would reveal those of 1 to 4 people.
 * Members are compared by person and by answers, since one person may answer under two ids. Erased members match
 * no other group.
 */
export async function isTooAlikeInStore(connection: Connection, group: ClosingGroup): Promise<boolean> {
  const { partnerId, product } = group;
  const found = new Map<string, PublishedGroup>();
  const findNear = async ({ id, size }: Pick<PublishedGroup, "id" | "size">) => {
    for (const statement of [statements.listNearByPerson, statements.listNearByAnswers]) {
      for (const row of await readRows(connection, statement, { partnerId, product, id, size, most: mostDifferent })) {
        const key = row.group_id.toString("hex");
        const isWhole = size - Number(row.shared) <= mostDifferent;
        found.set(key, { id: row.group_id, size: row.members, isWhole: isWhole || found.get(key)?.isWhole === true });
      }
    }
  };
  const isTooMuch = () => [...found.values()].reduce((sum, { size }) => sum + size, 0) > mostMembers;
  await findNear(group);
  // A group that contains this one may be a union with groups that share no member with this one.
  for (const whole of [...found.values()].filter(({ isWhole }) => isWhole)) {
    if (isTooMuch()) return true;
    await findNear(whole);
  }
  if (found.size === 0) return false;
  found.delete(group.id.toString("hex"));
  if (isTooMuch()) return true;
  const published = [...found.values()];
  const rows = await readRowsOf(connection, listMembersOf, [[group.id, ...published.map(({ id }) => id)], partnerId]);
  const byGroup = Map.groupBy(rows, (row) => row.group_id.toString("hex"));
  const setOf = ({ id, size }: Pick<PublishedGroup, "id" | "size">, column: "person_id" | "answers_hash") => {
    const key = id.toString("hex");
    const held = byGroup.get(key) ?? [];
    const erased = Array.from({ length: size - held.length }, (_, index) => `${key} ${index}`);
    return new Set([...held.map((row): string => row[column].toString("hex")), ...erased]);
  };
  return (["person_id", "answers_hash"] as const).some((column) => {
    return isTooAlike(
      setOf(group, column),
      published.map((each) => setOf(each, column)),
    );
  });
}
