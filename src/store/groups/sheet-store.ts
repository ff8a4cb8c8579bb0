// The sheets behind the numbers of a partner's groups: whose they are, and which groups have them.
import type { Database } from "../../database/database.ts";
import type { SheetId } from "../../domain/groups/disclosure.ts";
import { type Ratings, ratings } from "../../domain/sessions/session.ts";
import { bytesToUuid } from "../../kernel/ids.ts";
import { sheetStatements as statements } from "./group-statements.ts";

/** Sheets in one statement. */
const batch = 500;
/** Groups whose sheets one statement reads; a group has 1,000 at most. */
const groupBatch = 5;
/** Most groups that are compared, and most sheets in all of them. */
const maxGroups = 1_000;
const maxSheets = 200_000;

/** Answers of a person that a group with numbers has. */
export interface PersonSheet {
  readonly sheetId: SheetId;
  readonly personId: string;
  readonly assessmentId: number;
  /** Empty once a policy has deleted them. */
  readonly answers: Ratings;
}

/** A group with numbers, or one whose numbers were withdrawn after readers had them. */
export interface PublishedGroup {
  /** A sheet comes as often as people of the group gave these answers. */
  readonly sheets: readonly SheetId[];
  readonly hasSpread: boolean;
}

/** The store of sheets. */
export function createSheetStore(db: Database) {
  return {
    /** Sheets of some people; undefined: too many. @param personIds at most some hundred */
    async listByPeople(
      partnerId: string,
      personIds: readonly string[],
      signal: AbortSignal,
    ): Promise<PersonSheet[] | undefined> {
      const rows = await db.findAll(statements.listByPeople, { partnerId, personIds, limit: maxSheets }, signal);
      if (rows.length === maxSheets) return undefined;
      return rows.map((row) => ({
        sheetId: bytesToUuid(row.sheet_id),
        personId: bytesToUuid(row.person_id),
        assessmentId: row.assessment_id,
        answers: ratings.read(row.answers),
      }));
    },

    /** The sheet of each hash of answers that a group with numbers has, by the hash in hex. */
    async findByAnswers(partnerId: string, hashes: readonly Uint8Array[], signal: AbortSignal) {
      const rows = await db.findAll(statements.listByAnswers, { partnerId, hashes }, signal);
      return new Map(rows.map((row) => [row.answers_hash.toString("hex"), bytesToUuid(row.sheet_id)]));
    },

    /**
     * The groups with numbers that have one of the sheets, those that share a sheet with one of them, and so on.
     * Undefined: more than 1,000 groups, or 200,000 sheets in them.
     */
    async listPublishedWith(
      partnerId: string,
      sheetIds: Iterable<SheetId>,
      signal: AbortSignal,
    ): Promise<readonly PublishedGroup[] | undefined> {
      const groups = new Map<string, { sheets: SheetId[]; hasSpread: boolean }>();
      const sheets = new Set(sheetIds);
      const unread = [...sheets];
      let count = 0;
      while (unread.length > 0) {
        const values = { partnerId, sheetIds: unread.splice(0, batch) };
        const groupRows = await db.findAll(statements.listGroups, values, signal);
        const unknown = [...new Set(groupRows.map((row) => bytesToUuid(row.group_id)))].filter((id) => !groups.has(id));
        if (groups.size + unknown.length > maxGroups) return undefined;
        for (const id of unknown) groups.set(id, { sheets: [], hasSpread: false });
        while (unknown.length > 0) {
          const groupIds = unknown.splice(0, groupBatch);
          const rows = await db.findAll(statements.listByGroups, { partnerId, groupIds }, signal);
          count += rows.length;
          if (count > maxSheets) return undefined;
          for (const row of rows) {
            const [groupId, sheetId] = [bytesToUuid(row.group_id), bytesToUuid(row.sheet_id)];
            const group = groups.get(groupId);
            group?.sheets.push(sheetId);
            if (group !== undefined) group.hasSpread = row.has_spread === 1;
            if (!sheets.has(sheetId)) unread.push(sheetId);
            sheets.add(sheetId);
          }
        }
      }
      return [...groups.values()];
    },
  };
}
