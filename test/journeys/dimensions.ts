// What journeys differ in, as the protos and the product enumerate it: a new value is walked without a word here.
import {
  type AssessmentForm,
  openForm,
  type PublishedAssessment,
  toFormId,
} from "../../src/domain/assessments/published-assessment.ts";
import { AssessmentFormSchema } from "../../src/gen/assessment/v1/assessment_pb.ts";
import {
  ReportFormatSchema,
  ReportPaperSchema,
  ReportPictureNameSchema,
} from "../../src/gen/assessment/v1/report_service_pb.ts";
import { PersonAccessSchema, SessionModeSchema } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { listEnumWords } from "../../src/json/bounds.ts";
import { catalogues } from "../../src/pages/catalogue/language.ts";
import { reportCatalogues } from "../../src/products/values-bridge/report/words/language.ts";
import { shippedInstrument } from "../support/values-bridge/golden-personas.ts";
import { valuesBridge } from "../support/values-bridge/opened.ts";

const shipped = await shippedInstrument();

const { definition } = shipped;
const texts = [...catalogues, ...reportCatalogues, definition, ...(definition.translations ?? [])];

export const dimensions = {
  form: listEnumWords(AssessmentFormSchema),
  mode: listEnumWords(SessionModeSchema),
  access: listEnumWords(PersonAccessSchema),
  /** Of pages, reports or statements: a journey needs all three. */
  language: [...new Set(texts.map(({ language }) => language))],
  persona: shipped.getPersonas().names,
  format: listEnumWords(ReportFormatSchema),
  picture: listEnumWords(ReportPictureNameSchema),
  paper: listEnumWords(ReportPaperSchema),
} as const;

/** The ratings of a persona by position; null where it has none. */
export function ratingsOf(form: string, persona: string): readonly (number | null)[] {
  const instrument: PublishedAssessment | undefined = openForm(
    valuesBridge,
    shipped,
    toFormId(shipped.id, form as AssessmentForm),
  );
  const ratings = instrument?.getPersonas().findAnswers(persona);
  if (ratings === undefined) throw new Error(`the ${form} form has no ${persona}`);
  return ratings;
}
