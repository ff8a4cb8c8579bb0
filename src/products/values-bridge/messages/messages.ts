// Models of the product as messages. Most have the same names.
import { type Change, ChangeSchema } from "../../../gen/assessment/v1/change_pb.ts";
import { ExplanationSchema } from "../../../gen/assessment/v1/explanation_pb.ts";
import { GroupNumbersSchema } from "../../../gen/assessment/v1/group_service_pb.ts";
import {
  type Norms,
  NormsSchema,
  type PooledRelease,
  PooledReleaseSchema,
  type RetestNorms,
  RetestNormsSchema,
} from "../../../gen/assessment/v1/norm_service_pb.ts";
import { QualitySchema } from "../../../gen/assessment/v1/quality_pb.ts";
import { ReportSchema } from "../../../gen/assessment/v1/report_pb.ts";
import {
  type NamedValue,
  NamedValueSchema,
  OverallResultSchema,
  type ResultNames,
  ResultNamesSchema,
} from "../../../gen/assessment/v1/results_pb.ts";
import { TeamReportSchema } from "../../../gen/assessment/v1/team_report_pb.ts";
import { fromModel } from "../../../json/messages.ts";
import type { Wording } from "../definition/wordings.ts";
import type { NormNumbers, RetestNumbers } from "../norms/numbers.ts";
import type { PooledNumbers } from "../norms/pool/pooled-numbers.ts";
import type { ReliableChanges } from "../norms/reliable-changes.ts";
import type { NormAbout, SessionComparison } from "../quality/quality.ts";
import type { ArchetypeFit } from "../report/model/archetype.ts";
import type { Results } from "../scoring/shapes.ts";
import { toResultsMessage } from "./results.ts";

/** The source of norms. */
export type NormSource = Pick<NormAbout, "released" | "n" | "provisional">;

/** A release of norms of all partners. */
export interface PoolSource {
  /** In RFC 3339. */
  readonly released: string;
  readonly number: number;
}

const toChange = fromModel(ChangeSchema);
const toNamedValue = fromModel(NamedValueSchema);
const toNames = fromModel(ResultNamesSchema);
const toNorms = fromModel(NormsSchema);
const toPooledRelease = fromModel(PooledReleaseSchema);
const toRetestNorms = fromModel(RetestNormsSchema);

/** The names of values, in the order of the assessment. */
function toNamedValues({ names }: Pick<Wording, "names">): NamedValue[] {
  return names.values.map(({ id, name, goal }) => toNamedValue({ valueId: id, name, goal }));
}

/** Converts models into messages. */
export const messages = {
  toResults: toResultsMessage,
  toTotals: fromModel(OverallResultSchema),
  toExplanation: fromModel(ExplanationSchema),
  toQuality: fromModel(QualitySchema),
  /** The changes between two sessions. @param norms the same changes judged by norms; null without norms */
  toChange: (comparison: SessionComparison, norms: ReliableChanges | null): Change =>
    toChange({ ...comparison, norms }),
  toGroupNumbers: fromModel(GroupNumbersSchema),
  toReport: fromModel(ReportSchema),
  toTeamReport: fromModel(TeamReportSchema),
  toNamedValues,
  /** The names of the values of results and of their archetypes. @param fit null: there is no report on the results */
  toNames({ overall, values }: Results, wording: Wording, fit: ArchetypeFit | null): ResultNames {
    const valuesById = new Map(toNamedValues(wording).map((each) => [each.valueId, each]));
    const archetypes = new Map(
      wording.names.archetypes.map(({ id, name, summary }) => [id, { archetypeId: id, name, summary }]),
    );
    return toNames({
      language: wording.language,
      archetype: archetypes.get(overall.archetypeId),
      values: values.flatMap(({ valueId }) => valuesById.get(valueId) ?? []),
      archetypeCertain: fit?.certain,
      between: fit?.between.flatMap((id) => archetypes.get(id) ?? []) ?? [],
    });
  },
  toNorms: ({ released, n, provisional }: NormSource, numbers: NormNumbers): Norms =>
    toNorms({ ...numbers, released, n, provisional, sample: { kind: "convenience", ...numbers.sample } }),
  toRetestNorms: ({ released, n, provisional }: NormSource, { values }: RetestNumbers): RetestNorms =>
    toRetestNorms({ released, n, provisional, values }),
  toPooledNorms: (source: PoolSource, numbers: PooledNumbers): PooledRelease =>
    toPooledRelease({ ...numbers, ...source, sample: "convenience" }),
};
