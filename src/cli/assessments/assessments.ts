// pas assessment …: instruments.
import { readFile } from "node:fs/promises";
import { publishAssessment } from "../../domain/assessments/catalogue.ts";
import { recordAct } from "../../domain/audit/acts.ts";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";

/** Names all faults of a definition. Throws if there are any. */
export async function checkFile(context: CommandContext, file: string): Promise<void> {
  await refuseViolations(context, await readJson(file));
  context.print({ file, faults: 0 });
}

/** Makes a definition the published version of its product. Throws if it has faults. */
export async function publishFile(context: CommandContext, file: string): Promise<void> {
  const definition = await readJson(file);
  await refuseViolations(context, definition);
  const published = await withDomain(context, (domain, deadline) =>
    recordAct(domain, { action: AssessmentService.method.publishAssessment }, () =>
      publishAssessment(domain, JSON.stringify(definition), deadline),
    ),
  );
  const { product, id, version } = published.assessment;
  context.print({ product, assessmentId: id, version, created: published.created });
}

/** Prints the published versions. */
export async function listVersions(context: CommandContext): Promise<void> {
  const versions = await withDomain(context, ({ assessments, catalogue }, { signal }) =>
    assessments.listAssessments(catalogue.product.name, signal),
  );
  context.print(
    versions.map(({ id, product, version, publishedAt }) => ({ product, assessmentId: id, version, publishedAt })),
  );
}

/** The JSON of a file. Throws in words for people. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`);
  }
}

async function refuseViolations({ say }: CommandContext, definition: unknown): Promise<void> {
  const { parse, maxFaults } = createValuesBridge();
  const parsed = await parse(definition);
  if ("definition" in parsed) return;
  const { faults } = parsed;
  for (const { pointer, message } of faults) say(`${pointer}  ${message}`);
  const count = faults.length < maxFaults ? String(faults.length) : `at least ${maxFaults}`;
  throw new Error(`the definition has ${count} fault${faults.length === 1 ? "" : "s"}`);
}
