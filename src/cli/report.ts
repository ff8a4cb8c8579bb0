// pas report: the report on results in a file, by the same code as the service, without a database.
import { writeFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { nullable } from "../http/json-schema.ts";
import { createReportRenderer } from "../report-rendering/renderer.ts";
import { readBuiltInDefinition } from "../values-bridge/definition/built-in.ts";
import { parseDefinition } from "../values-bridge/definition/check.ts";
import type { Definition } from "../values-bridge/definition/definition.ts";
import { Explanation } from "../values-bridge/json/schemas.ts";
import { pictureNames } from "../values-bridge/report/drawing/pictures.ts";
import { papers, reportFormats } from "../values-bridge/report/rendering.ts";
import { reportModel } from "../values-bridge/report/report.ts";
import type { ReportInput } from "../values-bridge/report/report-input.ts";
import { readJson } from "./assessments.ts";
import { type Command, readArguments, required, UsageError } from "./command.ts";

const neutralBranding = { displayName: null, accentColor: null, logoUrl: null };

export const reportCommand: Command = {
  usage: `FILE --format ${reportFormats.join("|")} [--picture ${pictureNames.join("|")}] [--paper ${papers.join("|")}] [--locale TAG] [--assessment FILE] [--out FILE]`,
  about: "the report on a file of `pas score --explain`; of another assessment than ours with --assessment",
  async run(context) {
    const text = "string";
    const kinds = { format: text, picture: text, paper: text, locale: text, assessment: text, out: text } as const;
    const { options, positionals } = readArguments(context.args, kinds, ["FILE"]);
    const format = oneOf(reportFormats, required(options.format, "format"), "format");
    const picture = oneOf(pictureNames, options.picture ?? "circle", "picture");
    const paper = oneOf(papers, options.paper ?? "a4", "paper");
    const [file = ""] = positionals;
    const definition = await readDefinition(options.assessment);
    const scored = readScored(file, await readJson(file));
    const locales = options.locale === undefined ? [] : [options.locale];
    const model = reportModel({ definition, assessmentVersion: null, session: null, locales, ...scored });
    const renderer = createReportRenderer();
    try {
      const { body } = await renderer.renderReport({ model, format, picture, paper, branding: neutralBranding });
      if (options.out === undefined) context.writeBytes(body);
      else await writeFile(options.out, body);
    } finally {
      await renderer.close();
    }
  },
};

function oneOf<T extends string>(words: readonly T[], word: string, option: string): T {
  const known = words.find((each) => each === word);
  if (known === undefined) throw new UsageError(`--${option} must be one of ${words.join(", ")}`);
  return known;
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
  const { $id: _, ...explanation } = Explanation as typeof Explanation & { $id?: string };
  const schema = Type.Object({ results: resultsSchema, explanation: Type.Optional(explanation) });
  const ajv = new Ajv2020({ strict: false });
  const isScored = ajv.compile<Pick<ReportInput, "results"> & Partial<Pick<ReportInput, "explanation">>>(schema);
  if (!isScored(json)) {
    const [fault] = isScored.errors ?? [];
    const place = `${fault?.instancePath ?? ""} ${fault?.message ?? ""}`.trim();
    throw new Error(`${file} is not what \`pas score --explain\` prints: ${place}`);
  }
  return { results: json.results, explanation: json.explanation ?? null };
}
