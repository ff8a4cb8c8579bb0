// Operations on reports, and on links to them.

import { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { ReportSchema } from "../../gen/assessment/v1/report_pb.ts";
import {
  CreateReportLinkRequestSchema,
  CreateReportLinkResponseSchema,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { TeamReportSchema } from "../../gen/assessment/v1/team_report_pb.ts";
import { oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { conditional, operation } from "../openapi/operation.ts";
import { papers, pictures, reportFormats } from "./report-schemas.ts";

const session = "/v1/:product/sessions/:id";
const subject = "/v1/:product/subjects/:externalId";

const format = optional(oneOf(reportFormats, { description: "Goes before Accept." }));
const paper = optional(oneOf(papers, { description: "Of PDF; A4 by default." }));
const locale = optional(
  string({
    description: "BCP 47 tag; goes before Accept-Language.",
    pattern: "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$",
    maxLength: 35,
    examples: ["de"],
  }),
);

/** What operations on reports share. */
const ofEveryReport = {
  description: "Accept, or format before it, says how. PDF and PNG are made to order: when too many are, 503.",
  success: {
    status: 200,
    description: "The report.",
    otherMedia: ["text/html", "application/pdf", "image/svg+xml", "image/png"],
    headers: {
      ...conditional,
      "Content-Language": "Language of the report.",
      "Content-Disposition": "A file name that names nobody.",
    },
  },
  isTagged: true,
} as const;

const report = {
  ...ofEveryReport,
  query: {
    format,
    picture: optional(
      oneOf(pictures, { description: "Of SVG and PNG; the circle by default. A PDF is the poster if it is named." }),
    ),
    paper,
    name: optional(string({ description: "Stands on the report; kept nowhere.", minLength: 1, maxLength: 60 })),
    date: optional(string({ description: "Day that stands on the report.", format: "date", examples: ["2026-11-23"] })),
    locale,
  },
  success: { ...ofEveryReport.success, schema: ReportSchema },
  reasons: ["invalid_request", "not_acceptable"],
} as const;

export const reportOperations = {
  getSessionReport: operation("GET", `${session}/report`, ReportService.method.renderReport, {
    id: "getSessionReport",
    tag: "Reports",
    summary: "Get a session's results as a report for the person",
    ...report,
  }),
  getSubjectReport: operation("GET", `${subject}/report`, ReportService.method.renderReport, {
    id: "getSubjectReport",
    tag: "Reports",
    summary: "Get the latest results of one of your users as a report for them",
    ...report,
  }),
  getTeamReport: operation("GET", "/v1/:product/groups/:groupId/report", GroupService.method.renderTeamReport, {
    id: "getTeamReport",
    tag: "Groups",
    summary: "Get the numbers of a group as a report for its people",
    ...ofEveryReport,
    query: { format, paper, locale },
    success: { ...ofEveryReport.success, schema: TeamReportSchema },
    reasons: ["invalid_request", "not_acceptable", "numbers_withheld"],
  }),
  createReportLink: operation("POST", `${session}/report-links`, ReportService.method.createReportLink, {
    tag: "Reports",
    summary: "Make a link by which the person reads their report",
    description: "Whoever has the address can read that one report. At most ten of a session work at a time.",
    body: CreateReportLinkRequestSchema,
    isBodyOptional: true,
    success: {
      status: 201,
      description: "The link; its address is shown once.",
      schema: CreateReportLinkResponseSchema,
    },
    reasons: ["hosted_off"],
  }),
  revokeReportLinks: operation("DELETE", `${session}/report-links`, ReportService.method.revokeReportLinks, {
    tag: "Reports",
    summary: "End all links to a session's report",
    success: { status: 204, description: "Nobody gets at the report by a link or from the hosted pages any more." },
  }),
} as const;
