// The SQL of norms.
import { uuidToBytes } from "../../database/rows.ts";
import { sql } from "../../database/statement.ts";
import type { SessionName } from "../../domain/sessions/session.ts";
import { sessionColumns } from "../sessions/session-rows.ts";

/** Most sessions or people that one statement names. */
export const mostNamed = 50;

const places = Array.from({ length: mostNamed }, (_, place) => place);
const names = places.map((place) => `:id${place}`).join(", ");
const partners = names.replaceAll(":id", ":partner");
/** The many sessions that a statement names, with their partners. */
const ofSessions = `id IN (${names}) AND partner_id IN (${partners})`;

/**
 * Values for a statement that names many sessions or people; places that are left over repeat the last.
 * @param sessions 1 to 50
 */
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

const setColumns = "id, assessment_id, language, kind, partner_id, live, fresh";
const byKey = "norm_sets FORCE INDEX (PRIMARY)";
const isSet = "partner_id = :partnerId AND id = :id";
const ofSet = "partner_id = :partnerId AND set_id = :id";
const contributionColumns = "session_id, kind, assessment_id, other_session_id, set_id";

/** Every statement of norms. */
export const normStatements = {
  listUncounted: sql`SELECT ${sessionColumns} FROM sessions FORCE INDEX (sessions_uncounted)
    WHERE is_counted IS NULL AND completed_at >= :completedAt AND (completed_at > :completedAt OR id > :id)
    ORDER BY completed_at, id LIMIT :limit`,
  findFirstSessions: sql`SELECT subject_id, assessment_id, session_id, kind, set_id FROM norm_contributions
    FORCE INDEX (norm_contributions_subject) WHERE subject_id IN (${names}) AND partner_id IN (${partners})`,
  lockUncounted: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE ${ofSessions} AND completed_at IS NOT NULL AND is_counted IS NULL FOR UPDATE SKIP LOCKED`,
  lockSession: sql`SELECT id FROM sessions FORCE INDEX (PRIMARY)
    WHERE partner_id = :partnerId AND id = :id FOR UPDATE SKIP LOCKED`,
  // The server marks every write that does not name the column as one to be published: this is none.
  markCounted: sql`UPDATE sessions FORCE INDEX (PRIMARY) SET is_counted = 1, unpublished_since = unpublished_since
    WHERE ${ofSessions}`,
  // Where the key or the number is taken, nothing is inserted.
  insertSet: sql`INSERT INTO norm_sets (id, assessment_id, language, kind, partner_id)
    VALUES (:id, :assessmentId, :language, :kind, :partnerId) ON DUPLICATE KEY UPDATE id = id`,
  findSet: sql`SELECT ${setColumns} FROM norm_sets
    WHERE assessment_id = :assessmentId AND language = :language AND kind = :kind AND partner_id = :partnerId`,
  findSetById: sql`SELECT ${setColumns} FROM ${byKey} WHERE ${isSet}`,
  lockSet: sql`SELECT ${setColumns} FROM ${byKey} WHERE ${isSet} FOR UPDATE`,
  listSets: sql`SELECT partner_id, id, assessment_id FROM ${byKey}
    WHERE partner_id >= :partnerId AND (partner_id > :partnerId OR id > :id) ORDER BY partner_id, id LIMIT :limit`,
  saveSet: sql`UPDATE ${byKey} SET live = :live, fresh = :fresh WHERE ${isSet}`,
  // Due are sets of which a hundredth of the people is new, and those that somebody was removed from, at once.
  listStale: sql`SELECT partner_id, id FROM norm_sets FORCE INDEX (norm_sets_fresh)
    WHERE fresh > 0 AND fresh * 100 >= live ORDER BY fresh, partner_id, id LIMIT :limit`,
  findNextPool: sql`SELECT assessment_id, language FROM norm_sets FORCE INDEX (norm_sets_key)
    WHERE assessment_id > :assessmentId OR (assessment_id = :assessmentId AND language > :language)
    ORDER BY assessment_id, language LIMIT 1`,
  findSums: sql`SELECT sums FROM norm_sums WHERE ${ofSet}`,
  updateSums: sql`UPDATE norm_sums SET sums = :sums WHERE ${ofSet}`,
  insertSums: sql`INSERT INTO norm_sums (partner_id, set_id, sums) VALUES (:partnerId, :id, :sums)`,
  findNumbers: sql`SELECT n.computed_at, n.people, n.numbers
    FROM norm_sets AS s JOIN norm_numbers AS n ON n.set_id = s.id AND n.partner_id = s.partner_id
    WHERE s.assessment_id = :assessmentId AND s.language = :language AND s.kind = :kind
      AND s.partner_id = :partnerId`,
  saveNumbers: sql`INSERT INTO norm_numbers (partner_id, set_id, computed_at, people, numbers)
    VALUES (:partnerId, :id, :computedAt, :people, :numbers)
    ON DUPLICATE KEY UPDATE computed_at = VALUES(computed_at), people = VALUES(people), numbers = VALUES(numbers)`,
  deleteNumbers: sql`DELETE FROM norm_numbers WHERE ${ofSet}`,
  insertContribution: sql`INSERT INTO norm_contributions (assessment_id, kind, other_session_id, partner_id,
      session_id, set_id, subject_id)
    VALUES (:assessmentId, :kind, :otherSessionId, :partnerId, :sessionId, :setId, :subjectId)`,
  findContribution: sql`SELECT ${contributionColumns} FROM norm_contributions
    WHERE partner_id = :partnerId AND session_id = :id`,
  findContributionsWith: sql`SELECT ${contributionColumns} FROM norm_contributions
    WHERE partner_id = :partnerId AND other_session_id = :id`,
  deleteContribution: sql`DELETE FROM norm_contributions WHERE partner_id = :partnerId AND session_id = :id`,
  findCountable: sql`SELECT answers, completed_at, mode
    FROM sessions FORCE INDEX (PRIMARY) WHERE partner_id = :partnerId AND id = :id`,
  listContributions: sql`SELECT c.session_id, s.answers, s.completed_at, s.mode, o.answers AS other_answers,
      o.completed_at AS other_completed_at, o.mode AS other_mode
    FROM norm_contributions AS c FORCE INDEX (norm_contributions_set)
    LEFT JOIN sessions AS s FORCE INDEX (PRIMARY) ON s.id = c.session_id AND s.partner_id = c.partner_id
    LEFT JOIN sessions AS o FORCE INDEX (PRIMARY) ON o.id = c.other_session_id AND o.partner_id = c.partner_id
    WHERE c.partner_id = :partnerId AND c.set_id = :setId AND c.session_id > :after ORDER BY c.session_id LIMIT :limit`,
};
