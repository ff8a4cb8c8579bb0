// The SQL of lists of sessions. Filters that are not asked for are null.
import type { Knex } from "knex";
import { compile, type Statement } from "../../database/statement.ts";
import { maxLookedAt } from "../../domain/sessions/session-list-port.ts";

const columns = [
  "id",
  "external_id",
  "assessment_id",
  "mode",
  "created_at",
  "completed_at",
  "cancelled_at",
  "expires_at",
  "answers_deleted_at",
  "results_deleted_at",
  "group_id",
  "answers",
  "first_answer_at",
  "last_answer_at",
  "answer_calls",
  "first_call_answers",
];
/** As the domain's `stateOf`, at the time of the one binding. */
const state = `CASE WHEN s.completed_at IS NOT NULL THEN 'completed' WHEN s.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN s.expires_at <= ? THEN 'expired' ELSE 'in_progress' END`;

/** A page of a list, in two statements. */
export interface ListStatements {
  /** The id that the page does not go below; no row if everything that is left may be looked at. */
  readonly end: Statement;
  readonly page: Statement;
}

/** Every statement of the store of lists. Bindings are names, `":name"`. */
export function sessionListStatements(db: Knex) {
  const build = (index: string, owner: string, owners: readonly string[], selected: readonly string[]) => ({
    end: compile(
      db.raw(
        `SELECT id FROM sessions FORCE INDEX (${index})
         WHERE ${owner} AND id >= ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${maxLookedAt - 1}`,
        [...owners, ":from", ":to"],
      ),
    ),
    page: compile(
      db.raw(
        `SELECT ${selected.map((column) => `s.${column}`).join(", ")}, a.version
         FROM sessions AS s FORCE INDEX (${index}) STRAIGHT_JOIN assessments AS a ON a.id = s.assessment_id
         WHERE ${owner} AND s.id >= ? AND s.id < ? AND a.product = ?
           AND (? IS NULL OR a.version = ?)
           AND (? IS NULL OR s.mode = ?)
           AND (? IS NULL OR ${state} = ?)
           AND (? IS NULL OR s.created_at >= ?) AND (? IS NULL OR s.created_at < ?)
           AND (? IS NULL OR s.completed_at >= ?) AND (? IS NULL OR s.completed_at < ?)
         ORDER BY s.id DESC LIMIT ?`,
        [...owners, ":from", ":to", ":product", ...filters, ":limit"],
      ),
    ),
  });
  const member = "group_id = ? AND partner_id = ? AND (? IS NULL OR external_id = ?)";
  const byMember = [":groupId", ":partnerId", ":externalId", ":externalId"];
  const person = "partner_id = ? AND external_id = ?";
  const byPerson = [":partnerId", ":externalId"];
  return {
    ofPartner: build("sessions_partner", "partner_id = ?", [":partnerId"], columns),
    ofPerson: build("sessions_person", person, byPerson, columns),
    ofGroup: build("sessions_group", member, byMember, columns),
    outcomesOfPerson: build("sessions_person", person, byPerson, [...columns, "results"]),
  } satisfies Record<string, ListStatements>;
}

/** In the order in which the statement asks for them. */
const filters = [
  ...[":version", ":version"],
  ...[":mode", ":mode"],
  ...[":state", ":now", ":state"],
  ...[":createdAfter", ":createdAfter", ":createdBefore", ":createdBefore"],
  ...[":completedAfter", ":completedAfter", ":completedBefore", ":completedBefore"],
];
