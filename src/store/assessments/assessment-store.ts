// Published assessment versions in MySQL.

import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { fetchRows, sql, write } from "../../database/statement.ts";
import type { StoredAssessment } from "../../domain/assessments/published-assessment.ts";

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

/** The store of assessments. */
export function createAssessmentStore(db: Knex) {
  return {
    /** The id of the greatest version of a product. */
    async findLatestAssessmentId(product: string, signal: AbortSignal): Promise<number | undefined> {
      const [row] = await fetchRows(db, statements.latestId, { product: Buffer.from(product) }, signal);
      return row?.id;
    },
    async findAssessmentId(product: string, version: number, signal: AbortSignal): Promise<number | undefined> {
      const [row] = await fetchRows(db, statements.idOfVersion, { product: Buffer.from(product), version }, signal);
      return row?.id;
    },
    async findAssessment(id: number, signal: AbortSignal): Promise<StoredAssessment | undefined> {
      const [row] = await fetchRows(db, statements.find, { id }, signal);
      return row && toAssessment(row);
    },
    /** All versions of a product, the newest first. */
    async listAssessments(product: string, signal: AbortSignal): Promise<StoredAssessment[]> {
      return (await fetchRows(db, statements.list, { product: Buffer.from(product) }, signal)).map(toAssessment);
    },
    /** Inserts a version, or nothing if its id or version number is taken. */
    async insertAssessment(
      { id, product, version, definition, publishedAt }: StoredAssessment,
      signal: AbortSignal,
    ): Promise<"inserted" | "taken"> {
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
    /** The greatest id in use; 0 if there is none. */
    async findGreatestAssessmentId(signal: AbortSignal): Promise<number> {
      const [row] = await fetchRows(db, statements.greatestId, {}, signal);
      return row?.id ?? 0;
    },
  };
}

export type AssessmentStore = ReturnType<typeof createAssessmentStore>;

function toAssessment(row: RowDataPacket): StoredAssessment {
  return {
    id: row.id,
    product: row.product.toString(),
    version: row.version,
    definition: JSON.parse(row.definition.toString()),
    publishedAt: row.published_at,
  };
}
