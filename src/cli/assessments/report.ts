// pas report: the report on results in a file, by the same code as the service, without a database.
import { writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { ExplanationSchema } from "../../gen/assessment/v1/explanation_pb.ts";
import { readBuiltInDefinition } from "../../products/values-bridge/definition/built-in.ts";
import { parseDefinition } from "../../products/values-bridge/definition/check/check.ts";
import type { Definition } from "../../products/values-bridge/definition/definition.ts";
import type { PictureName } from "../../products/values-bridge/report/drawing/pictures.ts";
import type { Paper, ReportFormat } from "../../products/values-bridge/report/rendering.ts";
import { reportModel } from "../../products/values-bridge/report/report.ts";
import type { ReportInput } from "../../products/values-bridge/report/report-input.ts";
import { createReportRenderer } from "../../products/values-bridge/report-rendering/renderer.ts";
import { nullable } from "../../transport/http/bodies/json-schema.ts";
import { responseSchema } from "../../transport/http/bodies/message-schema.ts";
import type { CommandContext } from "../command.ts";
import { readJson } from "./assessments.ts";

const neutralBranding = { displayName: null, accentColor: null, logoUrl: null };

export interface ReportOptions {
  readonly format: ReportFormat;
  readonly picture: PictureName;
  readonly paper: Paper;
  /** BCP 47 tag; without it the language of the definition. */
  readonly locale?: string;
  /** File with a definition; without it the built-in one. */
  readonly assessment?: string;
  /** File to write; without it stdout. */
  readonly out?: string;
}

/** Writes the report on what `pas score --explain` printed into a file. Throws in words for people. */
export async function reportFile({ writeBytes }: CommandContext, file: string, options: ReportOptions): Promise<void> {
  const { format, picture, paper, locale, out } = options;
  const definition = await readDefinition(options.assessment);
  const scored = readScored(file, await readJson(file));
  const locales = locale === undefined ? [] : [locale];
  const model = reportModel({ definition, assessmentVersion: null, session: null, locales, ...scored });
  const renderer = createReportRenderer();
  try {
    const { body } = await renderer.renderReport({ model, format, picture, paper, branding: neutralBranding });
    if (out === undefined) writeBytes(body);
    else await writeFile(out, body);
  } finally {
    await renderer.close();
  }
}

async function readDefinition(file: string | undefined): Promise<Definition> {
  const json: unknown = file === undefined ? JSON.parse(await readBuiltInDefinition()) : await readJson(file);
  const parsed = parseDefinition(json);
  if ("faults" in parsed) throw new Error("the definition has faults; `pas assessment check` names them");
  return parsed.definition;
}

const rank = nullable(Type.Integer({ minimum: 1 }));
const percent = nullable(Type.Number({ minimum: -100, maximum: 100 }));

/** As scoring gives them; tiers have the names of the assessment. */
const resultsSchema = Type.Object({
  overall: Type.Object({
    archetypeId: Type.Integer(),
    totalAuthenticityGapScaled: percent,
    totalConflictScoreScaled: percent,
    totalHarmonyScoreScaled: percent,
  }),
  values: Type.Array(
    Type.Object({
      valueId: Type.Integer(),
      idealDisplayRank: rank,
      idealRankTier: Type.String(),
      currentDisplayRank: rank,
      currentRankTier: Type.String(),
      authenticityGapScaled: percent,
    }),
  ),
  pairings: Type.Array(Type.Object({ valuePairingId: Type.Integer(), scaledScore: percent })),
});

/** Results and explanation of a file; results alone make a report without pictures. */
function readScored(file: string, json: unknown): Pick<ReportInput, "results" | "explanation"> {
  const schema = Type.Object({ results: resultsSchema, explanation: Type.Optional(responseSchema(ExplanationSchema)) });
  const ajv = new Ajv2020({ strict: false });
  const isScored = ajv.compile<Pick<ReportInput, "results"> & Partial<Pick<ReportInput, "explanation">>>(schema);
  if (!isScored(json)) {
    const [fault] = isScored.errors ?? [];
    const place = `${fault?.instancePath ?? ""} ${fault?.message ?? ""}`.trim();
    throw new Error(`${file} is not what \`pas score --explain\` prints: ${place}`);
  }
  return { results: json.results, explanation: json.explanation ?? null };
}
