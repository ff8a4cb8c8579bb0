// pas assessment …: instruments.
import { readFile } from "node:fs/promises";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import type { Definition, Product } from "../../products/product.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import type { CommandContext } from "../command.ts";
import { withOperator } from "../operator.ts";

/** Prints all faults of a definition. Throws if there are any. */
export async function checkFile(context: CommandContext, file: string): Promise<void> {
  await refuseViolations(context, await readJson(file));
  context.print({ file, faults: 0 });
}

/** Makes a definition the published version of its product. Throws if it has faults. */
export async function publishFile(context: CommandContext, file: string): Promise<void> {
  const definition = await readJson(file);
  await refuseViolations(context, definition);
  const { publishAssessment } = AssessmentService.method;
  const { product, assessmentId, version, created } = await withOperator(context, ({ call }) =>
    call(publishAssessment, { definition: JSON.stringify(definition) }),
  );
  context.print({ product, assessmentId, version, created });
}

/** The JSON of a file. Throws messages for people. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : "it cannot be parsed"}`);
  }
}

/** The definition in a file. Throws messages for people. */
export async function readDefinition({ parse }: Product, file: string): Promise<Definition> {
  const parsed = await parse(await readJson(file));
  if ("faults" in parsed) throw new Error("the definition has faults; `pas assessment check` names them");
  return parsed.definition;
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
