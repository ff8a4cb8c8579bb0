// Additions to the OpenAPI document for operations that REST serves partly by hand.
import type { DescMessage } from "@bufbuild/protobuf";
import { ExportedSessionSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { ReportSchema } from "../../src/gen/assessment/v1/report_pb.ts";
import { RecordAnswersResponseSchema } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { TeamReportSchema } from "../../src/gen/assessment/v1/team_report_pb.ts";
import type { ComposedName } from "./composed-schemas.ts";
import type { Schema } from "./json-schema.ts";
import { choiceSchema } from "./message-schema.ts";

export interface Additions {
  readonly description?: string;
  readonly query?: Readonly<Record<string, Schema>>;
  /** A named message, or a composed schema. */
  readonly schema?: DescMessage | ComposedName;
  /** Media types beside JSON, without a schema. */
  readonly otherMedia?: readonly string[];
  /** Media types instead of JSON, each with the schema of a line, if it has lines. */
  readonly media?: Readonly<Record<string, DescMessage | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of cacheable responses. */
const etagHeader = { ETag: "Strong entity tag; send it in If-None-Match." };

const report = {
  description:
    "The format comes from `format`, else from Accept; the language from `locale`, else from Accept-Language. PDF, PNG and SVG are rendered on request: 503 when too many are being rendered.",
  otherMedia: ["text/html", "application/pdf", "image/svg+xml", "image/png"],
  headers: {
    ...etagHeader,
    "Content-Language": "Language of the report.",
    "Content-Disposition": "A file name that names nobody.",
  },
} as const;

const formatParameter = (words: readonly string[]) =>
  choiceSchema(words, { description: "Instead of the Accept header." });

/** By operation id. */
export const additions: Readonly<Record<string, Additions>> = {
  createSession: { schema: "CreatedSession" },
  // The same members as the response to recorded answers.
  autofillSession: { schema: RecordAnswersResponseSchema },
  getSessionResults: { headers: etagHeader },
  getPublishedAssessment: { headers: etagHeader },
  getSessionReport: { ...report, schema: ReportSchema },
  getSubjectReport: { ...report, schema: ReportSchema },
  getTeamReport: { ...report, schema: TeamReportSchema },
  exportSessions: {
    description:
      "Line by line. A response ends after 50,000 sessions or a minute; its last line is `{nextCursor, atEnd}`. A CSV has all sessions of one version and no such line: a response that breaks off is not whole.",
    query: {
      include: choiceSchema(["answers", "results", "both"], {
        description: "What sessions hold; `both` unless it is asked otherwise.",
      }),
      format: formatParameter(["ndjson", "csv"]),
    },
    media: { "application/x-ndjson": ExportedSessionSchema, "text/csv": undefined },
  },
  exportSubject: {
    description: "One JSON, written while it is read: `atEnd` at its end says whether that is all.",
    schema: "SubjectExport",
  },
  getCodebook: { query: { format: formatParameter(["json", "csv"]) }, otherMedia: ["text/csv"] },
};
