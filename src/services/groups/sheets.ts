// Finds the sheet of each session that counts in a group: its own, or the one that it is a copy of.

import { hash } from "node:crypto";
import { setImmediate as yieldToCalls } from "node:timers/promises";
import { createId, toSubject } from "../../domain/identifiers.ts";
import { mapRatingsByStatement } from "../../domain/sessions/answers.ts";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import type { CountedMember } from "../../store/groups/group-store.ts";
import type { PersonSheet } from "../../store/groups/sheet-store.ts";
import type { Dependencies } from "../dependencies.ts";

/** People whose earlier sheets one statement reads. */
const batchSize = 50;
/** Two sheets of a person are copies if at least this share of their common ratings is equal. */
const copiedShare = 0.9;

/**
 * The sessions of a closing group as its members. Sessions with the same answers have one sheet, whoever gave them. Two sessions
 * of one person, in any form or version, also share a sheet if nine of ten common ratings are equal, or if the earlier answers
 * are deleted.
 * @returns undefined if their people have more sheets in groups than can be compared
 */
export async function assignSheets(
  { sheets, catalogue, random }: Dependencies,
  partnerId: string,
  sessions: readonly AnsweredSession[],
  closedAt: Date,
  signal: AbortSignal,
): Promise<CountedMember[] | undefined> {
  const members: CountedMember[] = [];
  /** Sheets that this closing adds, by the hash of their answers. */
  const addedSheets = new Map<string, string>();
  for (let start = 0; start < sessions.length; start += batchSize) {
    const rows = sessions.slice(start, start + batchSize).map((session) => {
      const personId = toSubject(session.partnerId, session.externalId).id;
      const answersHash = hash("sha256", JSON.stringify(session.answers), "buffer").subarray(0, 16);
      return { session, personId, answersHash, key: answersHash.toString("hex") };
    });
    const hashes = rows.map(({ answersHash }) => answersHash);
    const byAnswers = await sheets.findByAnswers(partnerId, hashes, signal);
    const people = rows.map(({ personId }) => personId);
    const earlier = await sheets.listByPeople(partnerId, people, signal);
    if (earlier === undefined) return undefined;
    const byPerson = Map.groupBy(earlier, ({ personId }) => personId);
    for (const { session, personId, answersHash, key } of rows) {
      const read = async (sheet: Pick<PersonSheet, "assessmentId" | "answers">) =>
        mapRatingsByStatement(sheet, await catalogue.getById(sheet.assessmentId));
      const isCopy = async (sheet: PersonSheet) =>
        sheet.answers.length === 0 || isCopyOf(await read(session), await read(sheet));
      let sheetId = byAnswers.get(key) ?? addedSheets.get(key);
      for (const sheet of sheetId === undefined ? (byPerson.get(personId) ?? []) : []) {
        if (await isCopy(sheet)) sheetId = sheet.sheetId;
      }
      sheetId ??= createId(closedAt, random);
      addedSheets.set(key, sheetId);
      members.push({ sessionId: session.id, personId, answersHash, sheetId });
    }
    await yieldToCalls();
  }
  return members;
}

function isCopyOf(ratings: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): boolean {
  const shared = [...ratings].filter(([statement]) => others.has(statement));
  const same = shared.filter(([statement, rating]) => others.get(statement) === rating);
  return shared.length > 0 && same.length >= copiedShare * shared.length;
}
