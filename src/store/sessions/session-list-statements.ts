// The SQL of lists of sessions. Filters that are not asked for are null.
import { columnsOf, type Statement, sql } from "../../database/statement.ts";
import { maxLookedAt } from "../../domain/sessions/session-list-port.ts";

const columns = `id, external_id, assessment_id, mode, created_at, completed_at, cancelled_at, expires_at,
  answers_deleted_at, results_deleted_at, group_id, answers, first_answer_at, last_answer_at, answer_calls,
  first_call_answers`;
/** As the domain's `stateOf`, at the time of the binding. */
const state = `CASE WHEN s.completed_at IS NOT NULL THEN 'completed' WHEN s.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN s.expires_at <= :now THEN 'expired' ELSE 'in_progress' END`;

/** A page of a list, in two statements. */
export interface ListStatements {
  /** The id that the page does not go below; no row if everything that is left may be looked at. */
  readonly end: Statement;
  readonly page: Statement;
}

const build = (index: string, owner: string, selected: string) => ({
  end: sql`SELECT id FROM sessions FORCE INDEX (${index})
    WHERE ${owner} AND id >= :from AND id < :to ORDER BY id DESC LIMIT 1 OFFSET ${maxLookedAt - 1}`,
  page: sql`SELECT ${columnsOf("s", selected)}, a.version
    FROM sessions AS s FORCE INDEX (${index}) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
    WHERE ${owner} AND s.id >= :from AND s.id < :to AND a.product = :product
      AND (:version IS NULL OR a.version = :version)
      AND (:mode IS NULL OR s.mode = :mode)
      AND (:state IS NULL OR ${state} = :state)
      AND (:createdAfter IS NULL OR s.created_at >= :createdAfter)
      AND (:createdBefore IS NULL OR s.created_at < :createdBefore)
      AND (:completedAfter IS NULL OR s.completed_at >= :completedAfter)
      AND (:completedBefore IS NULL OR s.completed_at < :completedBefore)
    ORDER BY s.id DESC LIMIT :limit`,
});
const member = "group_id = :groupId AND partner_id = :partnerId AND (:externalId IS NULL OR external_id = :externalId)";
const person = "partner_id = :partnerId AND external_id = :externalId";

/** Every statement of the store of lists. */
export const sessionListStatements = {
  ofPartner: build("sessions_partner", "partner_id = :partnerId", columns),
  ofPerson: build("sessions_person", person, columns),
  ofGroup: build("sessions_group", member, columns),
  outcomesOfPerson: build("sessions_person", person, `${columns}, results`),
} satisfies Record<string, ListStatements>;
