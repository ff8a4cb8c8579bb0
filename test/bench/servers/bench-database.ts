// A database of the bench's own, migrated, with a client to call the service as and the sample that the load sends.

import { randomBytes } from "node:crypto";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import type { DatabaseAddress } from "../../../src/database/database.ts";
import type { PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { builtInProduct } from "../../../src/products/values-bridge/definition/built-in.ts";
import { type Credentials, openPartners } from "../../support/databases/partners.ts";
import { isRunning } from "../../support/databases/servers/embedded-server.ts";
import { createDatabase, type TestDatabase } from "../../support/databases/servers/server.ts";
import { startPas } from "../../support/processes/command.ts";
import type { Sample } from "../load/orders.ts";
import type { DatabaseServer } from "./database-server.ts";

export interface BenchDatabase extends TestDatabase {
  readonly name: string;
  readonly partnerId: string;
  readonly credentials: Credentials;
  readonly assessment: PublishedAssessment;
  readonly sample: Sample;
}

const namePrefix = "pas_bench_";

/** Creates and fills the database. @param checkout folder of another commit that migrates it; this one if not given */
export async function createBenchDatabase(
  { address: server, kind }: DatabaseServer,
  checkout?: string,
): Promise<BenchDatabase> {
  const name = `${namePrefix}${process.pid}_${randomBytes(4).toString("hex")}`;
  const database = await createDatabase(server, name);
  if (kind === "embedded") await dropLeftovers(database.connection);
  if (checkout === undefined) await prepareDatabase({ say: () => undefined }, database.address);
  else await migrateBy(checkout, database.url);
  return { ...database, name, ...(await addClient(database.address)) };
}

async function migrateBy(checkout: string, url: string): Promise<void> {
  const running = startPas(["migrate"], { DATABASE_URL: url }, { checkout });
  if ((await running.ended) !== 0) throw new Error(`${checkout} did not migrate: ${running.output().stderr}`);
}

async function addClient(address: DatabaseAddress) {
  const partners = openPartners(address);
  try {
    const partnerId = await partners.addPartner({ name: "Bench" });
    const credentials = await partners.addClient(partnerId, partnerScopes);
    const assessment = await partners.dependencies.catalogue.getPublished(builtInProduct);
    return { partnerId, credentials, assessment, sample: sampleOf(assessment) };
  } finally {
    await partners.close();
  }
}

/** An answer to every question, spread over the whole scale, and what they score. */
export function sampleOf(assessment: PublishedAssessment): Sample {
  const answers = assessment.questions.map(({ id, likertConfig: { min, max } }, index) => ({
    questionId: id,
    value: min + ((index * 7 + Math.floor(index / 5)) % (max - min + 1)),
  }));
  const results = assessment.scorer.score(answers.map(({ value }) => value));
  return { product: assessment.product, answers, results };
}

/** Removes databases whose bench was killed. */
async function dropLeftovers(connection: Connection): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>("SHOW DATABASES LIKE ?", [`${namePrefix}%`]);
  for (const name of rows.flatMap((row) => Object.values(row) as string[])) {
    const pid = Number(name.slice(namePrefix.length).split("_")[0]);
    if (!isRunning(pid)) await connection.query(`DROP DATABASE ${name}`);
  }
}
