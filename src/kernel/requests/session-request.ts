// The rules of the command that starts a session, as far as the command itself tells.

import type { Violation } from "../errors/violation.ts";
import { externalIdFaults } from "../formats/external-id.ts";
import { idempotencyKeyFaults } from "../formats/idempotency-key.ts";
import { isLanguageTag, isLongerThan } from "../formats/texts.ts";

/** Who and how: what is asked for beside the product. */
export interface SessionRequest {
  /** Undefined: an anonymous person. */
  readonly externalId: string | undefined;
  readonly mode: "headless" | "hosted";
  readonly redirectUrl: string | undefined;
  /** Checked, then forgotten. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly locale: string | undefined;
  /** Undefined: none. */
  readonly personAccess: "none" | "after_completion" | undefined;
  readonly idempotencyKey: string | undefined;
}

const maxRedirectUrlLength = 2048;
const maxMetadataKeys = 50;
const maxMetadataKeyLength = 40;
const maxMetadataBytes = 16 * 1024;
/** The body itself is level 1 of 16, its metadata level 2. */
const maxMetadataDepth = 15;

/** Every fault of the request. */
export function sessionRequestFaults(request: SessionRequest): Violation[] {
  const { externalId, redirectUrl, locale, metadata, personAccess, idempotencyKey } = request;
  return [
    ...(externalId === undefined ? [] : externalIdFaults(externalId, ["subject", "externalId"])),
    ...redirectUrlFaults(redirectUrl, request.mode),
    ...(metadata === undefined ? [] : metadataFaults(metadata)),
    ...(locale === undefined || isLanguageTag(locale)
      ? []
      : [{ path: ["locale"], code: "invalid_format", detail: "A locale is a BCP 47 language tag." }]),
    ...(personAccess === "after_completion" && request.mode !== "hosted"
      ? [{ path: ["personAccess"], code: "not_applicable", detail: "Only the hosted pages can offer a report." }]
      : []),
    ...(idempotencyKey === undefined ? [] : idempotencyKeyFaults(idempotencyKey)),
  ];
}

function redirectUrlFaults(redirectUrl: string | undefined, mode: SessionRequest["mode"]): Violation[] {
  const fault = (code: string, detail: string): Violation[] => [{ path: ["redirectUrl"], code, detail }];
  if (redirectUrl === undefined) {
    return mode === "hosted" ? fault("required", "A hosted session needs a redirectUrl.") : [];
  }
  if (isLongerThan(redirectUrl, maxRedirectUrlLength)) {
    return fault("too_long", `A redirectUrl has at most ${maxRedirectUrlLength} characters.`);
  }
  const url = redirectUrl.isWellFormed() ? URL.parse(redirectUrl) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return fault("invalid_format", "A redirectUrl is an absolute http or https URL.");
  }
  if (url.username !== "" || url.password !== "") {
    return fault("invalid_format", "A redirectUrl must not carry user information.");
  }
  return [];
}

function metadataFaults(metadata: Readonly<Record<string, unknown>>): Violation[] {
  const path = ["metadata"];
  const depthFault = {
    path,
    code: "too_deep",
    detail: "JSON may be nested at most 16 levels deep, the body included.",
  };
  if (isDeeperThan(metadata, maxMetadataDepth)) return [depthFault];
  const faults: Violation[] = [];
  const keys = Object.keys(metadata);
  if (keys.length > maxMetadataKeys) {
    faults.push({ path, code: "too_many_items", detail: `Metadata has at most ${maxMetadataKeys} members.` });
  } else if (keys.some((key) => isLongerThan(key, maxMetadataKeyLength))) {
    const detail = `A name in metadata has at most ${maxMetadataKeyLength} characters.`;
    faults.push({ path, code: "too_long", detail });
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    faults.push({ path, code: "too_large", detail: `Metadata has at most ${maxMetadataBytes} bytes as JSON.` });
  }
  if (!isWellFormed(metadata)) {
    faults.push({ path, code: "invalid_characters", detail: "The text holds a lone surrogate." });
  }
  return faults;
}

/** Whether a value of JSON has more levels of objects and arrays than so many. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}
