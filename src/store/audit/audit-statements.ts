// The SQL of the audit log, compiled once.
import type { Knex } from "knex";
import { compile } from "../../database/statement.ts";
import { recordColumns } from "./rows.ts";

/** Adds records: their number varies, so it is a text with a list. */
export const insertRecords = `INSERT INTO audit_log (${recordColumns}) VALUES ?`;

/** After a position, by time, chain and position in the chain, downwards. */
const before = "at <= ? AND (at < ? OR writer < ? OR (writer = ? AND sequence < ?))";
const position = [":at", ":at", ":writer", ":writer", ":sequence"];
const newestFirst = "ORDER BY at DESC, writer DESC, sequence DESC LIMIT ?";

/** Every statement of the audit store. Bindings are names, `":name"`. */
export function auditStatements(db: Knex) {
  const anchorColumns = "sequence, at, content, hash, key_id, signature";
  return {
    listOfPartner: compile(
      db.raw(
        `SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_partner)
         WHERE partner_id = ? AND at >= ? AND ${before} ${newestFirst}`,
        [":partnerId", ":from", ...position, ":limit"],
      ),
    ),
    listOfSession: compile(
      db.raw(
        `SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_session)
         WHERE session_id = ? AND partner_id = ? AND at >= ? AND ${before} ${newestFirst}`,
        [":sessionId", ":partnerId", ":from", ...position, ":limit"],
      ),
    ),
    listChain: compile(
      db.raw(
        `SELECT ${recordColumns} FROM audit_log FORCE INDEX (PRIMARY)
         WHERE writer = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
        [":writer", ":after", ":limit"],
      ),
    ),
    findHeadAfter: compile(
      db.raw(
        `SELECT writer, sequence, hash FROM audit_log FORCE INDEX (PRIMARY)
         WHERE writer = (SELECT MIN(writer) FROM audit_log FORCE INDEX (PRIMARY) WHERE writer > ?)
         ORDER BY sequence DESC LIMIT 1`,
        [":writer"],
      ),
    ),
    findLastAnchor: compile(
      db.raw(`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`),
    ),
    findFirstAnchorSince: compile(
      db.raw("SELECT sequence FROM audit_anchors FORCE INDEX (audit_anchors_time) WHERE at >= ? ORDER BY at LIMIT 1", [
        ":since",
      ]),
    ),
    listAnchors: compile(
      db.raw(`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > ? ORDER BY sequence LIMIT ?`, [
        ":after",
        ":limit",
      ]),
    ),
    insertAnchor: compile(
      db("audit_anchors").insert({
        sequence: ":sequence",
        at: ":at",
        content: ":content",
        hash: ":hash",
        key_id: ":keyId",
        signature: ":mac",
      }),
    ),
    listRecordNumbers: compile(
      db.raw("SELECT sequence FROM audit_log FORCE INDEX (PRIMARY) WHERE writer = ? ORDER BY sequence LIMIT ?", [
        ":writer",
        ":limit",
      ]),
    ),
    deleteRecords: compile(
      db.raw("DELETE FROM audit_log WHERE writer = ? AND sequence <= ?", [":writer", ":sequence"]),
    ),
    listAnchorNumbers: compile(
      db.raw("SELECT sequence FROM audit_anchors WHERE sequence < ? ORDER BY sequence LIMIT ?", [":before", ":limit"]),
    ),
    deleteAnchors: compile(db.raw("DELETE FROM audit_anchors WHERE sequence <= ?", [":sequence"])),
  };
}
