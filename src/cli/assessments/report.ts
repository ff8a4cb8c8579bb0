// pas report: the report on answers in a file, by the same code as the service, without a database.
import { writeFile } from "node:fs/promises";
import { neutralBranding } from "../../domain/hosted/branding.ts";
import type { Paper, PictureName, ReportFormat } from "../../products/product.ts";
import { createValuesBridge } from "../../products/values-bridge/values-bridge.ts";
import { findReportRequestViolations } from "../../services/reports/report-request.ts";
import type { CommandContext } from "../command.ts";
import { type AnswerFiles, scoreAnswers } from "./assessments.ts";

interface ReportOptions extends AnswerFiles {
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
  /** File to write; without it stdout. */
  readonly out?: string;
}

/** Writes the report on answers in a file. Throws messages for people. */
export async function renderReportFile({ write }: CommandContext, options: ReportOptions): Promise<void> {
  const { format, picture, paper, locale, name, date, support = null, out } = options;
  const [violation] = findReportRequestViolations({ locale, name, date });
  if (violation !== undefined) throw new Error(violation.detail);
  const valuesBridge = createValuesBridge();
  const { assessment, explanation, quality } = await scoreAnswers(valuesBridge, options);
  const locales = locale === undefined ? [] : [locale];
  const facts = { assessmentVersion: null, session: null, explanation, quality };
  const model = assessment.createReport({ ...facts, locales, person: { name, date }, support });
  const renderer = valuesBridge.createRenderer();
  try {
    const { body } = await renderer.renderReport({ model, format, picture, paper, branding: neutralBranding });
    if (out === undefined) write(body);
    else await writeFile(out, body);
  } finally {
    await renderer.close();
  }
}
