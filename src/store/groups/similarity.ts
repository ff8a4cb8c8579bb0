// Finds the groups that a closing group may be too similar to: those whose numbers its partner already has.
import type { Connection } from "mysql2";
import { bytesToUuid, readRows, readRowsOf, uuidToBytes } from "../../database/statement.ts";
import { isTooAlike, mostDifferent } from "../../domain/groups/similarity.ts";
import { listMembersOf, groupStatements as statements } from "./group-statements.ts";

/** Most members of other groups that are read: above it a group counts as too similar. */
const mostMembers = 100_000;

/** A group with numbers, by its id and the number of its members when it was closed. */
interface SizedGroup {
  readonly id: string;
  readonly size: number;
}

/**
 * Whether numbers of the group, combined with those of a few published groups, would reveal those of 1 to 4 people.
 * Members are compared by person and by answers, since one person may answer under two ids. Erased members match
 * no other group.
 */
export async function isTooAlikeInStore(
  connection: Connection,
  group: SizedGroup & { readonly partnerId: string; readonly product: string },
): Promise<boolean> {
  const { partnerId, product } = group;
  const found = new Map<string, SizedGroup>();
  /** Groups that contain all but a few members of the one that they were found for. */
  const whole = new Map<string, SizedGroup>();
  const findNear = async ({ id, size }: SizedGroup) => {
    for (const statement of [statements.listNearByPerson, statements.listNearByAnswers]) {
      for (const row of await readRows(connection, statement, { partnerId, product, id, size, most: mostDifferent })) {
        const near = { id: bytesToUuid(row.group_id), size: row.members };
        found.set(near.id, near);
        if (size - Number(row.shared) <= mostDifferent) whole.set(near.id, near);
      }
    }
  };
  const isTooMuch = () => [...found.values()].reduce((sum, { size }) => sum + size, 0) > mostMembers;
  await findNear(group);
  // A group that contains this one may be a union with groups that share no member with this one.
  for (const each of [...whole.values()]) {
    if (isTooMuch()) return true;
    await findNear(each);
  }
  if (found.size === 0) return false;
  found.delete(group.id);
  if (isTooMuch()) return true;
  const published = [...found.values()];
  const ids = [group, ...published].map(({ id }) => uuidToBytes(id));
  const rows = await readRowsOf(connection, listMembersOf, [ids, uuidToBytes(partnerId)]);
  const byGroup = Map.groupBy(rows, (row) => bytesToUuid(row.group_id));
  return ["person_id", "answers_hash"].some((column) => {
    const membersOf = ({ id, size }: SizedGroup) => {
      const held = byGroup.get(id) ?? [];
      const erased = Array.from({ length: size - held.length }, (_, index) => `${id} ${index}`);
      return new Set([...held.map((row): string => row[column].toString("hex")), ...erased]);
    };
    return isTooAlike(membersOf(group), published.map(membersOf));
  });
}
