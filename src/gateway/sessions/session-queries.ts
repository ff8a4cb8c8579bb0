// Query parameters of sessions: of lists, and of what comes beside results.

import {
  AnswerProgressSchema,
  SessionModeSchema,
  SessionStatusSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { maxExternalIdLength, maxVersion } from "../../kernel/formats.ts";
import { boolean, integer, oneOf, optional, string } from "../../kernel/json/json-schema.ts";
import { enumWords } from "../../kernel/json/members.ts";
import { defaultSessionPageSize, maxSessionPageSize } from "../../kernel/requests/session-list.ts";

/** A version that is asked for. */
export const versionNumber = (description: string) => integer({ minimum: 1, maximum: maxVersion, description });

const time = (description: string) =>
  optional(string({ format: "date-time", description, examples: ["2026-11-20T09:30:00Z"] }));

/** A page of a list. */
export const pageQuery = {
  limit: optional(
    integer({
      minimum: 1,
      maximum: maxSessionPageSize,
      default: defaultSessionPageSize,
      description: "Most sessions in the response.",
    }),
  ),
  after: optional(
    string({ description: "The `next` of the page before, with the same filters. Without it: the newest." }),
  ),
};

/** A group whose sessions are asked for. */
export const groupId = string({ format: "uuid", description: "The group that the sessions are in." });

export const quality = optional(boolean({ description: "Whether to say what the results are worth." }));

export const sessionFilterQuery = {
  ...pageQuery,
  status: optional(oneOf(enumWords(SessionStatusSchema), { description: "State of the sessions." })),
  mode: optional(oneOf(enumWords(SessionModeSchema), { description: "Mode of the sessions." })),
  externalId: optional(string({ maxLength: maxExternalIdLength, description: "The person, as you name them." })),
  version: optional(versionNumber("Version of the assessment.")),
  groupId: optional(groupId),
  createdAfter: time("Created at this time or later."),
  createdBefore: time("Created before this time."),
  completedAfter: time("Completed at this time or later."),
  completedBefore: time("Completed before this time."),
  progress: optional(
    oneOf(enumWords(AnswerProgressSchema), {
      description: "How much of them is answered. Sessions whose answers a policy deleted do not pass.",
    }),
  ),
  lastActivityBefore: time(
    "Last answered, completed or cancelled before this time, or created before it if nothing happened since.",
  ),
};
