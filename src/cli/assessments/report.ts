// pas report: the report on results in a file, by the same code as the service, without a database.
import { writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readOpenApi } from "../../gateway/rest/openapi-document.ts";
import type { Paper, PictureName, ReportFormat, ReportInput } from "../../products/product.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import { reportRequestViolations } from "../../services/reports/report-request.ts";
import type { CommandContext } from "../command.ts";
import { readDefinition, readJson } from "./assessments.ts";

const neutralBranding = { displayName: null, accentColor: null, logoUrl: null };

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly picture: PictureName;
  readonly paper: Paper;
  /** BCP 47 tag; without it the language of the definition. */
  readonly locale?: string;
  /** Shown on the report: a name, and a day as `YYYY-MM-DD`. */
  readonly name?: string;
  readonly date?: string;
  /** The partner's text on whom to contact. */
  readonly support?: string;
  /** File with a definition; without it the built-in one. */
  readonly assessment?: string;
  /** File to write; without it stdout. */
  readonly out?: string;
}

/** Writes the report on a file printed by `pas score --explain --quality`. Throws messages for people. */
export async function reportFile({ writeBytes }: CommandContext, file: string, options: ReportOptions): Promise<void> {
  const { format, picture, paper, locale, name, date, support = null, out } = options;
  const [violation] = reportRequestViolations({ locale, name, date });
  if (violation !== undefined) throw new Error(violation.detail);
  const valuesBridge = createValuesBridge();
  const { assessment } = options;
  const definition =
    assessment === undefined ? await valuesBridge.readShipped() : await readDefinition(valuesBridge, assessment);
  const instrument = valuesBridge.open(definition, 1);
  const scoredSession = readScored(file, await readJson(file));
  const locales = locale === undefined ? [] : [locale];
  const facts = { assessmentVersion: null, session: null, ...scoredSession };
  const model = instrument.report({ ...facts, locales, person: { name, date }, support });
  const renderer = valuesBridge.createRenderer();
  try {
    const { body } = await renderer.renderReport({ model, format, picture, paper, branding: neutralBranding });
    if (out === undefined) writeBytes(body);
    else await writeFile(out, body);
  } finally {
    await renderer.close();
  }
}

type ScoredInput = Pick<ReportInput, "explanation" | "quality">;

/** The content of a file. */
function readScored(file: string, json: unknown): ScoredInput {
  const { components } = JSON.parse(readOpenApi());
  const inDocument = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const isScored = new Ajv2020({ strict: false }).compile<ScoredInput>({
    components,
    required: ["results", "explanation", "quality"],
    properties: {
      results: inDocument("ValuesBridgeResults"),
      explanation: inDocument("Explanation"),
      quality: { anyOf: [inDocument("Quality"), { type: "null" }] },
    },
    type: "object",
  });
  if (!isScored(json)) {
    const [fault] = isScored.errors ?? [];
    const place = `${fault?.instancePath ?? ""} ${fault?.message ?? ""}`.trim();
    throw new Error(`${file} is not what \`pas score --explain --quality\` prints: ${place}`);
  }
  const { explanation, quality = null } = json;
  return { explanation, quality };
}
