// The report models as messages. Both name everything alike, so that only what is absent is said in another way.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReportSchema } from "../../../gen/assessment/v1/report_pb.ts";
import type { TeamReportSchema } from "../../../gen/assessment/v1/team_report_pb.ts";
import type { ReportModel } from "../report/report-model.ts";
import type { TeamReportModel } from "../report/team/team-model.ts";

/** A shape whose members are absent where they were null. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { -readonly [K in keyof T as null extends T[K] ? never : K]: Present<T[K]> } & {
        -readonly [K in keyof T as null extends T[K] ? K : never]?: Present<NonNullable<T[K]>>;
      }
    : T;

/** The model as a message. */
export function toReportMessage(model: ReportModel): MessageInitShape<typeof ReportSchema> {
  return withoutNulls(model);
}

/** The model of a group's report as a message. */
export function toTeamReportMessage(model: TeamReportModel): MessageInitShape<typeof TeamReportSchema> {
  return withoutNulls(model);
}

function withoutNulls<T>(value: T): Present<T> {
  if (Array.isArray(value)) return value.map(withoutNulls) as Present<T>;
  if (typeof value !== "object" || value === null) return value as Present<T>;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)])) as Present<T>;
}
