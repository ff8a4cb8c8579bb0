// The interface of a product. The service passes its types, messages and bytes on; only the product reads them. There is one:
// `values-bridge`.
import type { createValuesBridge } from "./values-bridge/values-bridge.ts";

export type { CodebookColumn } from "./values-bridge/definition/codebook.ts";
export type { Definition } from "./values-bridge/definition/definition.ts";
export type { Question } from "./values-bridge/definition/questions.ts";
export { findState, type Wording } from "./values-bridge/definition/wordings.ts";
export type { GroupNumbers } from "./values-bridge/groups/group-numbers.ts";
export type { Member } from "./values-bridge/groups/member.ts";
export type { ResultsExplanation } from "./values-bridge/messages/explained-results.ts";
export type { NormSource, PoolSource } from "./values-bridge/messages/messages.ts";
export {
  minForReliability,
  minPeople,
  type NormNumbers,
  type RetestNumbers,
} from "./values-bridge/norms/numbers.ts";
export { maxReleases } from "./values-bridge/norms/pool/draw.ts";
export type { PooledNumbers } from "./values-bridge/norms/pool/pooled-numbers.ts";
export type { ChangeNorms, ReliableChanges } from "./values-bridge/norms/reliable-changes.ts";
export type { NormSums } from "./values-bridge/norms/sums.ts";
export type { TranslationState } from "./values-bridge/quality/model.ts";
export type { NormAbout, NormScope, Quality, SessionComparison } from "./values-bridge/quality/quality.ts";
export type { ReportComparison, ReportInput, ReportPerson } from "./values-bridge/report/report-input.ts";
export type { ReportModel } from "./values-bridge/report/report-model.ts";
export {
  type Paper,
  type PictureName,
  papers,
  pictureNames,
  type RenderedReport,
  type RenderRequest,
  type ReportFormat,
  type ReportRenderer,
  reportFormats,
} from "./values-bridge/report/report-renderer.ts";
export type { TeamReportModel } from "./values-bridge/report/team/team-model.ts";

/** One entry for each question of a version, in its order; null if unanswered. */
export type { Answers } from "./values-bridge/scoring/cells.ts";
export type { Results } from "./values-bridge/scoring/shapes.ts";
export type { NormKind } from "./values-bridge/values-bridge.ts";

export type Product = ReturnType<typeof createValuesBridge>;
export type ProductMessages = Product["messages"];
/** A version of a product, with everything derived from its definition. */
export type Instrument = ReturnType<Product["open"]>;
/** Counts of people of all partners that take part in norms. */
export type NormPool = ReturnType<ReturnType<Instrument["getNorms"]>["createPool"]>;
