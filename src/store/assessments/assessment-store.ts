// Published assessment versions in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { repeatable } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { executeText, fetchRows, sql, write } from "../../database/statement.ts";
import type { AssessmentStore, StoredAssessment } from "../../domain/assessments/assessment-port.ts";

const columns = "id, product, version, definition, published_at";
export const statements = {
  latestId: sql`SELECT id FROM assessments WHERE product = :product ORDER BY version DESC LIMIT 1`,
  idOfVersion: sql`SELECT id FROM assessments WHERE product = :product AND version = :version`,
  find: sql`SELECT ${columns} FROM assessments WHERE id = :id`,
  list: sql`SELECT ${columns} FROM assessments WHERE product = :product
    ORDER BY version DESC`,
  listAll: sql`SELECT ${columns} FROM assessments ORDER BY id`,
  listIds: sql`SELECT id FROM assessments`,
  greatestId: sql`SELECT MAX(id) AS id FROM assessments`,
  // To shards, which join it with sessions.
  copy: `INSERT INTO assessments (definition, id, product, published_at, version) VALUES ?
    ON DUPLICATE KEY UPDATE definition = VALUES(definition), product = VALUES(product), version = VALUES(version)`,
  insert: sql`INSERT INTO assessments (definition, id, product, published_at, version)
    VALUES (:definition, :id, :product, :publishedAt, :version)`,
};

/** The assessment part of the Store port. @param shards those of a database that is divided */
export function createAssessmentStore(db: Knex, shards: () => readonly Knex[]): AssessmentStore {
  return {
    async findLatestAssessmentId(product, signal) {
      const [row] = await fetchRows(db, statements.latestId, { product: Buffer.from(product) }, signal);
      return row?.id;
    },
    async findAssessmentId(product, version, signal) {
      const [row] = await fetchRows(db, statements.idOfVersion, { product: Buffer.from(product), version }, signal);
      return row?.id;
    },
    async findAssessment(id, signal) {
      const [row] = await fetchRows(db, statements.find, { id }, signal);
      return row && toAssessment(row);
    },
    async listAssessments(product, signal) {
      return (await fetchRows(db, statements.list, { product: Buffer.from(product) }, signal)).map(toAssessment);
    },
    async insertAssessment({ id, product, version, definition, publishedAt }, signal) {
      const text = Buffer.from(JSON.stringify(definition));
      const values = { id, product: Buffer.from(product), version, definition: text, publishedAt };
      try {
        await write(db, statements.insert, values, signal);
        await copyAssessments(db, shards(), signal);
        return "inserted";
      } catch (error) {
        if (isDuplicateKey(error)) return "taken";
        throw error;
      }
    },
    async findGreatestAssessmentId(signal) {
      const [row] = await fetchRows(db, statements.greatestId, {}, signal);
      return row?.id ?? 0;
    },
  };
}

/** Copies every assessment to shards that lack it. A copy that failed is made by the next call. */
export async function copyAssessments(db: Knex, shards: readonly Knex[], signal: AbortSignal): Promise<void> {
  if (shards.length === 0) return;
  const rows = await fetchRows(db, statements.listAll, {}, signal);
  for (const shard of shards) {
    const known = new Set((await fetchRows(shard, statements.listIds, {}, signal)).map(({ id }) => id));
    const missing = rows.filter(({ id }) => !known.has(id));
    const values = missing.map((row) => [row.definition, row.id, row.product, row.published_at, row.version]);
    if (values.length === 0) continue;
    await repeatable(shard, signal, (connection) => executeText(connection, statements.copy, [values]));
  }
}

function toAssessment(row: RowDataPacket): StoredAssessment {
  return {
    id: row.id,
    product: row.product.toString(),
    version: row.version,
    definition: JSON.parse(row.definition.toString()),
    publishedAt: row.published_at,
  };
}
