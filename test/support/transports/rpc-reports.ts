// Messages of ReportService in the shape of the REST interface.
import { toJson } from "@bufbuild/protobuf";
import { type Report, ReportSchema } from "../../../src/gen/assessment/v1/report_pb.ts";
import {
  type RenderReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../../src/gen/assessment/v1/report_service_pb.ts";
import { type TeamReport, TeamReportSchema } from "../../../src/gen/assessment/v1/team_report_pb.ts";
import type { RenderedBody, ReportBody, ReportInput, ReportTarget, TeamReportBody } from "./transports.ts";

/** A number that names nothing. */
const unknown = 99;

const formats: Readonly<Record<string, ReportFormat>> = {
  json: ReportFormat.JSON,
  html: ReportFormat.HTML,
  pdf: ReportFormat.PDF,
  svg: ReportFormat.SVG,
  png: ReportFormat.PNG,
};
const pictures: Readonly<Record<string, ReportPictureName>> = {
  circle: ReportPictureName.CIRCLE,
  gaps: ReportPictureName.GAPS,
  poster: ReportPictureName.POSTER,
};
const papers: Readonly<Record<string, ReportPaper>> = { a4: ReportPaper.A4, letter: ReportPaper.LETTER };

export function reportTarget(target: ReportTarget) {
  const session =
    "sessionId" in target
      ? ({ case: "sessionId", value: target.sessionId } as const)
      : ({ case: "externalId", value: target.externalId } as const);
  return { session };
}

export function toReportForm(input: ReportInput) {
  const { locale, languages = [], format, picture, paper, knownEntityTag, name, date, timeZone } = input;
  return {
    ...(name === undefined ? {} : { name }),
    ...(date === undefined ? {} : { date }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(locale === undefined ? {} : { locale }),
    languages: [...languages],
    ...(format === undefined ? {} : { format: formats[format] ?? (unknown as ReportFormat) }),
    ...(picture === undefined ? {} : { picture: pictures[picture] ?? (unknown as ReportPictureName) }),
    ...(paper === undefined ? {} : { paper: papers[paper] ?? (unknown as ReportPaper) }),
    knownEntityTags: knownEntityTag === undefined ? [] : [knownEntityTag],
  };
}

/** Absent members are left out; REST has null there. */
export function toReportBody(report: Report | undefined): ReportBody {
  if (report === undefined) throw new Error("no report");
  return toJson(ReportSchema, report, { alwaysEmitImplicit: true }) as unknown as ReportBody;
}

export function toTeamReportBody(report: TeamReport | undefined): TeamReportBody {
  if (report === undefined) throw new Error("no report");
  return toJson(TeamReportSchema, report, { alwaysEmitImplicit: true }) as unknown as TeamReportBody;
}

export function toRenderedBody(message: Omit<RenderReportResponse, "$typeName">): RenderedBody {
  const { mediaType, body, entityTag, fileName, language, notModified } = message;
  return { mediaType, body: Buffer.from(body), entityTag, fileName, language, notModified };
}
