// The SQL of norms, written through Knex and compiled once.
import type { Knex } from "knex";
import { uuidToBytes } from "../../database/rows.ts";
import { compile } from "../../database/statement.ts";
import type { SessionName } from "../../domain/sessions/session-port.ts";
import { sessionColumns } from "../sessions/session-statements.ts";

/** Most sessions or people that one statement names. */
export const mostNamed = 50;

const places = Array.from({ length: mostNamed }, (_, place) => place);
const names = places.map((place) => `:id${place}`);
const partnerNames = places.map((place) => `:partner${place}`);
const markers = names.map(() => "?").join(", ");
/** The many sessions that a statement names, with their partners. */
const ofSessions = `id IN (${markers}) AND partner_id IN (${markers})`;

/** Values for a statement that names many; places that are left over repeat the last. @param ids 1 to 50 */
export function named(ids: readonly Buffer[]): Record<string, Buffer> {
  return placed("id", ids);
}

/** Values for a statement that names many sessions. @param sessions 1 to 50 */
export function namedSessions(sessions: readonly SessionName[]): Record<string, Buffer> {
  const ids = sessions.map(({ id }) => uuidToBytes(id));
  const partnerIds = sessions.map(({ partnerId }) => uuidToBytes(partnerId));
  return { ...placed("id", ids), ...placed("partner", partnerIds) };
}

function placed(prefix: string, ids: readonly Buffer[]): Record<string, Buffer> {
  const last = ids.at(-1);
  if (last === undefined || ids.length > mostNamed) throw new RangeError(`${ids.length} ids in a statement`);
  return Object.fromEntries(places.map((place) => [`${prefix}${place}`, ids[place] ?? last]));
}

const setColumns = ["id", "assessment_id", "language", "kind", "partner_id", "live", "fresh"];
const contributionColumns = ["session_id", "kind", "assessment_id", "other_session_id", "set_id"];

/** Every statement of norms. Bindings are names, `":name"`. */
export function normStatements(db: Knex) {
  const ofKey = {
    assessment_id: ":assessmentId",
    language: ":language",
    kind: ":kind",
    partner_id: ":partnerId",
  };
  return {
    listUncounted: compile(
      db.raw(
        `SELECT ${sessionColumns.join(", ")} FROM sessions FORCE INDEX (sessions_uncounted)
         WHERE is_counted IS NULL AND completed_at >= ? AND (completed_at > ? OR id > ?)
         ORDER BY completed_at, id LIMIT ?`,
        [":completedAt", ":completedAt", ":id", ":limit"],
      ),
    ),
    findFirstSessions: compile(
      db.raw(
        `SELECT subject_id, assessment_id, session_id, kind, set_id FROM norm_contributions
         FORCE INDEX (norm_contributions_subject) WHERE subject_id IN (${markers})`,
        names,
      ),
    ),
    lockUncounted: compile(
      db.raw(
        `SELECT id FROM sessions FORCE INDEX (PRIMARY)
         WHERE ${ofSessions} AND completed_at IS NOT NULL AND is_counted IS NULL FOR UPDATE SKIP LOCKED`,
        [...names, ...partnerNames],
      ),
    ),
    lockSession: compile(
      db.raw("SELECT id FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ? FOR UPDATE SKIP LOCKED", [
        ":partnerId",
        ":id",
      ]),
    ),
    // The server marks every write that does not name the column as one to be published: this is none.
    markCounted: compile(
      db.raw(
        `UPDATE sessions FORCE INDEX (PRIMARY) SET is_counted = 1, unpublished_since = unpublished_since
         WHERE ${ofSessions}`,
        [...names, ...partnerNames],
      ),
    ),
    insertSet: compile(
      db.raw(
        `INSERT INTO norm_sets (assessment_id, language, kind, partner_id) VALUES (?, ?, ?, ?)
         ON DUPLICATE KEY UPDATE id = id`,
        [":assessmentId", ":language", ":kind", ":partnerId"],
      ),
    ),
    findSet: compile(db("norm_sets").select(setColumns).where(ofKey)),
    findSetById: compile(db("norm_sets").select(setColumns).where({ id: ":id" })),
    lockSet: compile(db("norm_sets").select(setColumns).where({ id: ":id" }).forUpdate()),
    listSets: compile(
      db.raw("SELECT id, assessment_id FROM norm_sets WHERE id > ? ORDER BY id LIMIT ?", [":after", ":limit"]),
    ),
    saveSet: compile(db("norm_sets").update({ live: ":live", fresh: ":fresh" }).where({ id: ":id" })),
    // Due are sets of which a hundredth of the people is new, and those that somebody was removed from, at once.
    listStale: compile(
      db.raw(
        "SELECT id FROM norm_sets FORCE INDEX (norm_sets_fresh) WHERE fresh > 0 AND fresh * 100 >= live ORDER BY fresh, id LIMIT ?",
        [":limit"],
      ),
    ),
    findSums: compile(db("norm_sums").select("sums").where({ set_id: ":id" })),
    updateSums: compile(db("norm_sums").update({ sums: ":sums" }).where({ set_id: ":id" })),
    insertSums: compile(db("norm_sums").insert({ set_id: ":id", sums: ":sums" })),
    findNumbers: compile(
      db("norm_sets as s")
        .join("norm_numbers as n", "n.set_id", "s.id")
        .select(["n.computed_at", "n.people", "n.numbers"])
        .where(Object.fromEntries(Object.entries(ofKey).map(([column, value]) => [`s.${column}`, value]))),
    ),
    saveNumbers: compile(
      db.raw(
        "INSERT INTO norm_numbers (set_id, computed_at, people, numbers) VALUES (?, ?, ?, ?) " +
          "ON DUPLICATE KEY UPDATE computed_at = VALUES(computed_at), people = VALUES(people), numbers = VALUES(numbers)",
        [":id", ":computedAt", ":people", ":numbers"],
      ),
    ),
    deleteNumbers: compile(db("norm_numbers").where({ set_id: ":id" }).delete()),
    insertContribution: compile(
      db("norm_contributions").insert({
        session_id: ":sessionId",
        kind: ":kind",
        subject_id: ":subjectId",
        assessment_id: ":assessmentId",
        other_session_id: ":otherSessionId",
        set_id: ":setId",
      }),
    ),
    findContribution: compile(db("norm_contributions").select(contributionColumns).where({ session_id: ":id" })),
    findContributionsWith: compile(
      db("norm_contributions").select(contributionColumns).where({ other_session_id: ":id" }),
    ),
    deleteContribution: compile(db("norm_contributions").where({ session_id: ":id" }).delete()),
    findCountable: compile(
      db.raw("SELECT answers, completed_at, mode FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = ? AND id = ?", [
        ":partnerId",
        ":id",
      ]),
    ),
    listContributions: compile(
      db.raw(
        `SELECT c.session_id, s.answers, s.completed_at, s.mode, o.answers AS other_answers,
           o.completed_at AS other_completed_at, o.mode AS other_mode
         FROM norm_contributions AS c FORCE INDEX (norm_contributions_set)
         LEFT JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = c.session_id AND s.partner_id = ?
         LEFT JOIN sessions AS o FORCE INDEX (PRIMARY) ON o.id = c.other_session_id AND o.partner_id = ?
         WHERE c.set_id = ? AND c.session_id > ? ORDER BY c.session_id LIMIT ?`,
        [":partnerId", ":partnerId", ":setId", ":after", ":limit"],
      ),
    ),
  };
}

export type NormStatements = ReturnType<typeof normStatements>;
