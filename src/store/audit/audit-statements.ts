// The SQL of the audit log.
import { sql } from "../../database/statement.ts";
import { recordColumns } from "./rows.ts";

/** Adds records: their number varies, so it is a text with a list. */
export const insertRecords = `INSERT INTO audit_log (${recordColumns}) VALUES ?`;

/** After a position, by time, chain and position in the chain, downwards. */
const before = "at <= :at AND (at < :at OR writer < :writer OR (writer = :writer AND sequence < :sequence))";
const newestFirst = "ORDER BY at DESC, writer DESC, sequence DESC LIMIT :limit";

const anchorColumns = "sequence, at, content, hash, key_id, signature";

/** Every statement of the audit store. */
export const auditStatements = {
  listOfPartner: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_partner)
    WHERE partner_id = :partnerId AND at >= :from AND ${before} ${newestFirst}`,
  listOfSession: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (audit_log_session)
    WHERE session_id = :sessionId AND partner_id = :partnerId AND at >= :from AND ${before} ${newestFirst}`,
  listChain: sql`SELECT ${recordColumns} FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = :writer AND sequence > :after ORDER BY sequence LIMIT :limit`,
  findHeadAfter: sql`SELECT writer, sequence, hash FROM audit_log FORCE INDEX (PRIMARY)
    WHERE writer = (SELECT MIN(writer) FROM audit_log FORCE INDEX (PRIMARY) WHERE writer > :writer)
    ORDER BY sequence DESC LIMIT 1`,
  findLastAnchor: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > 0 ORDER BY sequence DESC LIMIT 1`,
  findFirstAnchorSince: sql`SELECT sequence
    FROM audit_anchors FORCE INDEX (audit_anchors_time) WHERE at >= :since ORDER BY at LIMIT 1`,
  listAnchors: sql`SELECT ${anchorColumns} FROM audit_anchors WHERE sequence > :after ORDER BY sequence LIMIT :limit`,
  insertAnchor: sql`INSERT INTO audit_anchors (at, content, hash, key_id, sequence, signature)
    VALUES (:at, :content, :hash, :keyId, :sequence, :mac)`,
  listRecordNumbers: sql`SELECT sequence
    FROM audit_log FORCE INDEX (PRIMARY) WHERE writer = :writer ORDER BY sequence LIMIT :limit`,
  deleteRecords: sql`DELETE FROM audit_log WHERE writer = :writer AND sequence <= :sequence`,
  listAnchorNumbers: sql`SELECT sequence FROM audit_anchors WHERE sequence < :before ORDER BY sequence LIMIT :limit`,
  deleteAnchors: sql`DELETE FROM audit_anchors WHERE sequence <= :sequence`,
};
