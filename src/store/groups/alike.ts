// Whether a group and those whose numbers its partner got before are too alike.
import type { Connection } from "mysql2";
import { readRows, readRowsOf } from "../../database/statement.ts";
import { isTooAlike, mostDifferent } from "../../domain/groups/alike.ts";
import { listMembersOf, groupStatements as statements } from "./group-statements.ts";

/** Members of other groups that are read, at most: past it a group counts as too alike. */
const mostMembers = 100_000;

interface ClosingGroup {
  readonly partnerId: Buffer;
  readonly id: Buffer;
  readonly product: Buffer;
  /** How many are stored as its members. */
  readonly size: number;
}

/** A group that had numbers. */
interface ToldGroup {
  readonly id: Buffer;
  readonly size: number;
  /** Whether all of the group that it was found for are in it, but for a few. */
  readonly isWhole: boolean;
}

/**
 * Whether numbers of the group, or of a few told groups with it, would give those of 1 to 4 people: by who they are, and by
 * what they answered, since one person may answer under two ids. Those who were erased since are members whom nobody shares.
 */
export async function isTooAlikeInStore(connection: Connection, group: ClosingGroup): Promise<boolean> {
  const { partnerId, product } = group;
  const found = new Map<string, ToldGroup>();
  const look = async ({ id, size }: Pick<ToldGroup, "id" | "size">) => {
    for (const statement of [statements.listNearByPerson, statements.listNearByAnswers]) {
      for (const row of await readRows(connection, statement, { partnerId, product, id, size, most: mostDifferent })) {
        const key = row.group_id.toString("hex");
        const isWhole = size - Number(row.shared) <= mostDifferent;
        found.set(key, { id: row.group_id, size: row.members, isWhole: isWhole || found.get(key)?.isWhole === true });
      }
    }
  };
  const isTooMuch = () => [...found.values()].reduce((sum, { size }) => sum + size, 0) > mostMembers;
  await look(group);
  // What else is in a group that holds this one shares nobody with it.
  for (const whole of [...found.values()].filter(({ isWhole }) => isWhole)) {
    if (isTooMuch()) return true;
    await look(whole);
  }
  if (found.size === 0) return false;
  found.delete(group.id.toString("hex"));
  if (isTooMuch()) return true;
  const told = [...found.values()];
  const rows = await readRowsOf(connection, listMembersOf, [[group.id, ...told.map(({ id }) => id)], partnerId]);
  const byGroup = Map.groupBy(rows, (row) => row.group_id.toString("hex"));
  const setOf = ({ id, size }: Pick<ToldGroup, "id" | "size">, column: "person_id" | "answers_hash") => {
    const key = id.toString("hex");
    const held = byGroup.get(key) ?? [];
    const erased = Array.from({ length: size - held.length }, (_, index) => `${key} ${index}`);
    return new Set([...held.map((row): string => row[column].toString("hex")), ...erased]);
  };
  return (["person_id", "answers_hash"] as const).some((column) => {
    return isTooAlike(
      setOf(group, column),
      told.map((each) => setOf(each, column)),
    );
  });
}
