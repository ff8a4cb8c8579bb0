// Opaque secrets: access tokens, client secrets, links and browser sessions. Only their hash is ever stored, except of the links
// to shared pictures: those are public, and the person sees their address again. Links and browser sessions contain their
// partner, so that the look-up goes to the shard of the partner's rows.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RandomBytes } from "../../kernel/environment.ts";
import { clientSecretPrefix } from "../../kernel/formats.ts";
import { formatUuid, isTestTwin } from "../../kernel/ids.ts";

const prefixes = {
  accessToken: "pas_at_",
  clientSecret: clientSecretPrefix,
  hostedLink: "pas_hl_",
  hostedBrowserSession: "pas_hv_",
  reportLink: "pas_rl_",
  reportBrowserSession: "pas_rv_",
  reportCard: "pas_rc_",
} as const;

export type SecretKind = keyof typeof prefixes;
type ClientSecretKind = "accessToken" | "clientSecret";
/** Kinds of secrets that contain their partner. */
export type PersonSecretKind = Exclude<SecretKind, ClientSecretKind>;

/** The key for finding a secret. */
export interface SecretKey {
  /** SHA-256 of the secret, 32 bytes. */
  readonly hash: Uint8Array;
  readonly partnerId: string;
}

/** Follows the prefix of secrets that are valid for test data only. */
const testMark = "test_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretBytes = 32;
const bodyLength = 43;
/** A UUID in base62, before the body. */
const partnerLength = 22;
const checksumLength = 6;

/**
 * A new secret of a client: prefix, 256 random bits in base62, and the CRC32 of both in base62.
 * @param isTest whether it is valid for test data only, which is visible in its prefix
 */
export function createSecret(kind: ClientSecretKind, random: RandomBytes, isTest = false): string {
  return addChecksum(prefixes[kind] + (isTest ? testMark : "") + createBody(random));
}

/**
 * A new secret that contains its partner, in base62 before the random bits. The partner is part of what is hashed: changing
 * it invalidates the secret. Those of a test twin are marked.
 */
export function createPersonSecret(kind: PersonSecretKind, random: RandomBytes, partnerId: string): string {
  const partner = formatBase62(BigInt(`0x${partnerId.replaceAll("-", "")}`), partnerLength);
  return addChecksum(prefixes[kind] + (isTestTwin(partnerId) ? testMark : "") + partner + createBody(random));
}

/** The key for finding a link or browser session. @param text a well-formed secret */
export function parseSecretKey(kind: PersonSecretKind, text: string): SecretKey {
  return { hash: hashSecret(text), partnerId: parseBase62Uuid(extractBody(kind, text).slice(0, partnerLength)) };
}

/** The partner of a link, even if its end is missing or mistyped; undefined if it cannot be read. */
export function readPartnerId(kind: PersonSecretKind, text: string): string | undefined {
  const partner = text.startsWith(prefixes[kind]) ? text.slice(findBodyStart(kind, text)).slice(0, partnerLength) : "";
  return /^[0-9A-Za-z]{22}$/.test(partner) ? parseBase62Uuid(partner) : undefined;
}

/**
 * Whether the text is a well-formed secret of that kind. It needs no look-up, so mistyped and made-up secrets end here.
 */
export function isWellFormedSecret(kind: SecretKind, text: string): boolean {
  if (!text.startsWith(prefixes[kind])) return false;
  const isOfClient = kind === "accessToken" || kind === "clientSecret";
  if (extractBody(kind, text).length !== (isOfClient ? bodyLength : partnerLength + bodyLength)) return false;
  return text.slice(-checksumLength) === computeChecksum(text.slice(0, -checksumLength));
}

/** Whether a secret of that kind is marked as valid for test data only. */
export function isTestSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(testMark, prefixes[kind].length);
}

/** SHA-256 of a secret, 32 bytes. The secret has 256 random bits, so no salt and no stretching is needed. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

function extractBody(kind: SecretKind, text: string): string {
  return text.slice(findBodyStart(kind, text), -checksumLength);
}

function findBodyStart(kind: SecretKind, text: string): number {
  return prefixes[kind].length + (isTestSecret(kind, text) ? testMark.length : 0);
}

function createBody(random: RandomBytes): string {
  const value = random(secretBytes).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  return formatBase62(value, bodyLength);
}

function addChecksum(text: string): string {
  return text + computeChecksum(text);
}

function computeChecksum(text: string): string {
  return formatBase62(BigInt(crc32(text)), checksumLength);
}

function formatBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}

/** The UUID of 22 digits. A made-up value that is too large for a UUID is cut: nothing is found by it. */
function parseBase62Uuid(text: string): string {
  const value = [...text].reduce((number, digit) => number * 62n + BigInt(digits.indexOf(digit)), 0n);
  return formatUuid(BigInt.asUintN(128, value).toString(16).padStart(32, "0"));
}
