// Operations on persons.

import {
  GetChangeResponseSchema,
  GetLatestResultsResponseSchema,
  ListSubjectSessionsResponseSchema,
  SubjectService,
} from "../../gen/assessment/v1/subject_service_pb.ts";
import { optional, string } from "../../kernel/json/json-schema.ts";
import { operation } from "../openapi/operation.ts";
import { pageQuery, quality } from "../sessions/session-queries.ts";

const subjects = SubjectService.method;
const subject = "/v1/:product/subjects/:externalId";

export const subjectOperations = {
  getLatestResults: operation("GET", `${subject}/results`, subjects.getLatestResults, {
    tag: "Subjects",
    summary: "Get latest results for one of your users",
    query: { quality },
    success: { status: 200, description: "Of the session completed last.", schema: GetLatestResultsResponseSchema },
    reasons: ["invalid_request"],
  }),
  getChange: operation("GET", `${subject}/change`, subjects.getChange, {
    tag: "Subjects",
    summary: "Get what changed between two sessions of one of your users",
    description: "Both sessions are completed ones of that person, the first completed before the second.",
    query: {
      from: optional(
        string({
          format: "uuid",
          description: "The first session; without it the one completed before the second.",
        }),
      ),
      to: optional(string({ format: "uuid", description: "The second session; without it the one completed last." })),
    },
    success: { status: 200, description: "The change from the first to the second.", schema: GetChangeResponseSchema },
    reasons: ["invalid_request"],
  }),
  listSubjectSessions: operation("GET", `${subject}/sessions`, subjects.listSubjectSessions, {
    tag: "Subjects",
    summary: "List the sessions of one of your users",
    description: "Newest first, each with the totals of its results: what changed over time.",
    query: pageQuery,
    success: { status: 200, description: "A page of sessions.", schema: ListSubjectSessionsResponseSchema },
  }),
  eraseSubject: operation("DELETE", subject, subjects.eraseSubject, {
    tag: "Subjects",
    summary: "Erase one of your users",
    description: "Removes every session, answer and result of the person for good.",
    success: { status: 204, description: "Nothing is held any more." },
  }),
} as const;
