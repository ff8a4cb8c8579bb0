// Reads the request for a new session, and validates it beyond the bounds of its message.

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { anonymousPrefix } from "../../domain/identifiers.ts";
import { requestedFields } from "../../domain/sessions/session.ts";
import type { Field, ObjectOf } from "../../domain/stored-fields.ts";
import {
  type CreateSessionRequest,
  CreateSessionRequestSchema,
  PersonAccess,
  SessionMode,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { isLongerThan } from "../../json/bounds.ts";
import { isTime, toEnumWord } from "../../json/members.ts";
import { isDeeperThan, isWellFormed, surrogateDetail } from "../../json/message-from-json.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { depthDetail, findIdempotencyKeyViolations, findLocaleViolations, maxJsonDepth } from "../../kernel/formats.ts";

const maxMetadataKeys = 50;
const maxMetadataKeyLength = 40;
const maxMetadataBytes = 16 * 1024;

type RequestedField = keyof typeof requestedFields;

/** Read what a session stores of its request, field by field. */
const readers = (Object.keys(requestedFields) as RequestedField[]).map((name) => {
  const { words }: Field<unknown> = requestedFields[name];
  const field = CreateSessionRequestSchema.field[name];
  const read = (value: unknown) => {
    if (field.enum === undefined) return isTime(field) ? timestampDate(value as Timestamp) : value;
    const word = toEnumWord(field.enum, value as number);
    return words?.includes(word) ? word : words?.[0];
  };
  return { name, read };
});

/** The fields of a request that a session stores. A missing word is the first of its list, any other missing field is null. */
export function readRequestedFields(request: Pick<CreateSessionRequest, RequestedField>) {
  const fields: Partial<Record<RequestedField, unknown>> = {};
  for (const { name, read } of readers) fields[name] = request[name] === undefined ? null : read(request[name]);
  return fields as ObjectOf<typeof requestedFields>;
}

/** Those of the fields that differ from their defaults. */
export function omitDefaults(fields: ObjectOf<typeof requestedFields>): Partial<typeof fields> {
  const isStated = ([name, value]: [string, unknown]) => {
    const { words }: Field<unknown> = requestedFields[name as RequestedField];
    return value !== (words?.[0] ?? null);
  };
  return Object.fromEntries(Object.entries(fields).filter(isStated));
}

/** Every violation of the request. */
export function findSessionRequestViolations(request: CreateSessionRequest): Violation[] {
  const { subject, mode, redirectUrl, locale, metadata, personAccess, idempotencyKey } = request;
  return [
    ...(subject?.externalId === undefined ? [] : findExternalIdViolations(subject.externalId)),
    ...findRedirectUrlViolations(redirectUrl, mode),
    ...(metadata === undefined ? [] : findMetadataViolations(metadata)),
    ...findLocaleViolations(locale),
    ...(personAccess === PersonAccess.AFTER_COMPLETION && mode !== SessionMode.HOSTED
      ? [{ path: ["personAccess"], code: "not_applicable", detail: "Only the hosted pages can offer a report." }]
      : []),
    ...(idempotencyKey === undefined ? [] : findIdempotencyKeyViolations(idempotencyKey)),
  ];
}

/** The text is compared byte for byte, so nothing is trimmed or folded. */
function findExternalIdViolations(externalId: string): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["subject", "externalId"], code, detail }];
  if (/\p{Cc}/u.test(externalId)) return violation("invalid_characters", "Control characters are not allowed.");
  if (externalId === "." || externalId === "..") {
    return violation("reserved", "URL clients fold `.` and `..` away, so they cannot name a person.");
  }
  if (!externalId.startsWith(anonymousPrefix)) return [];
  return violation("reserved", `The prefix \`${anonymousPrefix}\` is kept for anonymous persons.`);
}

/** Violations of where the hosted pages of a session redirect. */
export function findRedirectUrlViolations(redirectUrl: string | undefined, mode: SessionMode): Violation[] {
  const violation = (code: string, detail: string): Violation[] => [{ path: ["redirectUrl"], code, detail }];
  if (redirectUrl === undefined) {
    return mode === SessionMode.HOSTED ? violation("required", "A hosted session needs a redirectUrl.") : [];
  }
  const url = redirectUrl.isWellFormed() ? URL.parse(redirectUrl) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return violation("invalid_format", "A redirectUrl is an absolute http or https URL.");
  }
  if (url.username !== "" || url.password !== "") {
    return violation("invalid_format", "A redirectUrl must not carry user information.");
  }
  return [];
}

function findMetadataViolations(metadata: Readonly<Record<string, unknown>>): Violation[] {
  const path = ["metadata"];
  const keys = Object.keys(metadata);
  // Each of these takes long for the largest bodies, so the first one that fails ends the rest.
  if (keys.length > maxMetadataKeys) {
    return [{ path, code: "too_many_items", detail: `Metadata has at most ${maxMetadataKeys} members.` }];
  }
  // The body itself is one level.
  if (isDeeperThan(metadata, maxJsonDepth - 1)) return [{ path, code: "too_deep", detail: depthDetail }];
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    return [{ path, code: "too_large", detail: `Metadata has at most ${maxMetadataBytes} bytes as JSON.` }];
  }
  const violations: Violation[] = [];
  if (keys.some((key) => isLongerThan(key, maxMetadataKeyLength))) {
    const detail = `A name in metadata has at most ${maxMetadataKeyLength} characters.`;
    violations.push({ path, code: "too_long", detail });
  }
  if (!isWellFormed(metadata)) violations.push({ path, code: "invalid_characters", detail: surrogateDetail });
  return violations;
}
