// Query parameters of sessions: of lists, and of what comes beside results.
import { Type } from "typebox";
import {
  AnswerProgressSchema,
  SessionModeSchema,
  SessionStatusSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { maxExternalIdLength, maxVersion } from "../../kernel/formats.ts";
import { enumWords } from "../../kernel/json/members.ts";
import { defaultSessionPageSize, maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import { oneOf } from "../../transport/http/bodies/json-schema.ts";

/** A version that is asked for. */
export const versionNumber = (description: string) => Type.Integer({ minimum: 1, maximum: maxVersion, description });

const time = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-20T09:30:00Z"] }));

const page = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxSessionPageSize,
      default: defaultSessionPageSize,
      description: "Most sessions in the response.",
    }),
  ),
  after: Type.Optional(
    Type.String({ description: "The `next` of the page before, with the same filters. Without it: the newest." }),
  ),
};

/** A group whose sessions are asked for. */
export const groupId = Type.String({ format: "uuid", description: "The group that the sessions are in." });

export const quality = Type.Optional(Type.Boolean({ description: "Whether to say what the results are worth." }));

export const pageQuery = Type.Object(page);

export const sessionFilterQuery = Type.Object({
  ...page,
  status: Type.Optional(oneOf(enumWords(SessionStatusSchema), { description: "State of the sessions." })),
  mode: Type.Optional(oneOf(enumWords(SessionModeSchema), { description: "Mode of the sessions." })),
  externalId: Type.Optional(
    Type.String({ maxLength: maxExternalIdLength, description: "The person, as you name them." }),
  ),
  version: Type.Optional(versionNumber("Version of the assessment.")),
  groupId: Type.Optional(groupId),
  createdAfter: time("Created at this time or later."),
  createdBefore: time("Created before this time."),
  completedAfter: time("Completed at this time or later."),
  completedBefore: time("Completed before this time."),
  progress: Type.Optional(
    oneOf(enumWords(AnswerProgressSchema), {
      description: "How much of them is answered. Sessions whose answers a policy deleted do not pass.",
    }),
  ),
  lastActivityBefore: time(
    "Last answered, completed or cancelled before this time, or created before it if nothing happened since.",
  ),
});
