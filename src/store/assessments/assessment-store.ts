// Published assessment versions in MySQL.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { fetchRows, sql, write } from "../../database/statement.ts";
import type { AssessmentStore, StoredAssessment } from "../../domain/assessments/assessment-port.ts";

const columns = "id, product, version, definition, published_at";
export const statements = {
  latestId: sql`SELECT id FROM assessments WHERE product = :product ORDER BY version DESC LIMIT 1`,
  idOfVersion: sql`SELECT id FROM assessments WHERE product = :product AND version = :version`,
  find: sql`SELECT ${columns} FROM assessments WHERE id = :id`,
  list: sql`SELECT ${columns} FROM assessments WHERE product = :product
    ORDER BY version DESC`,
  greatestId: sql`SELECT MAX(id) AS id FROM assessments`,
  insert: sql`INSERT INTO assessments (definition, id, product, published_at, version)
    VALUES (:definition, :id, :product, :publishedAt, :version)`,
};

/** The assessment part of the Store port. */
export function createAssessmentStore(db: Knex): AssessmentStore {
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

function toAssessment(row: RowDataPacket): StoredAssessment {
  return {
    id: row.id,
    product: row.product.toString(),
    version: row.version,
    definition: JSON.parse(row.definition.toString()),
    publishedAt: row.published_at,
  };
}
