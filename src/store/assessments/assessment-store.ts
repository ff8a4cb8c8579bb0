// Published assessment versions in MySQL.

import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";
import type { StoredAssessment } from "../../domain/assessments/published-assessment.ts";
import { byteText, type Field, plain } from "../../domain/stored-fields.ts";
import { insertInto, table } from "../table.ts";

const definition: Field<StoredAssessment["definition"]> = {
  read: (bytes: Buffer) => JSON.parse(bytes.toString()),
  write: (value: unknown) => Buffer.from(JSON.stringify(value)),
};
const assessments = table({
  id: plain<number>(),
  product: byteText,
  version: plain<number>(),
  definition,
  publishedAt: plain<Date>(),
});

export const statements = {
  latestId: sql`SELECT id FROM assessments WHERE product = :product ORDER BY version DESC LIMIT 1`,
  idOfVersion: sql`SELECT id FROM assessments WHERE product = :product AND version = :version`,
  find: assessments.select`FROM assessments WHERE id = :id`,
  list: assessments.select`FROM assessments FORCE INDEX (assessments_version) WHERE product = :product ORDER BY version DESC`,
  greatestId: sql`SELECT MAX(id) AS id FROM assessments`,
  insert: insertInto("assessments", assessments),
};

/** The store of assessments. */
export function createAssessmentStore(db: Database) {
  return {
    /** The id of the greatest version of a product. */
    findLatestAssessmentId: async (product: string, signal: AbortSignal): Promise<number | undefined> =>
      (await db.findOne(statements.latestId, { product: Buffer.from(product) }, signal))?.id,

    findAssessmentId: async (product: string, version: number, signal: AbortSignal): Promise<number | undefined> =>
      (await db.findOne(statements.idOfVersion, { product: Buffer.from(product), version }, signal))?.id,

    findAssessment: (id: number, signal: AbortSignal) => db.findOne(statements.find, { id }, signal),

    /** All versions of a product, the newest first. */
    listAssessments: (product: string, signal: AbortSignal) =>
      db.findAll(statements.list, { product: Buffer.from(product) }, signal),

    /** Inserts a version. False: its id or its version number is taken. */
    insertAssessment: (assessment: StoredAssessment, signal: AbortSignal) =>
      db.insertIfAbsent(statements.insert, assessments.toRow(assessment), signal),

    /** The greatest id in use; 0 if there is none. */
    findGreatestAssessmentId: async (signal: AbortSignal): Promise<number> =>
      (await db.findOne(statements.greatestId, {}, signal))?.id ?? 0,
  };
}

export type AssessmentStore = ReturnType<typeof createAssessmentStore>;
