// Opaque secrets: access tokens, client secrets, links and browser sessions. Only their hash is ever stored.
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RandomBytes } from "../../kernel/environment.ts";

const prefixes = {
  accessToken: "pas_at_",
  clientSecret: "pas_cs_",
  hostedLink: "pas_hl_",
  hostedBrowserSession: "pas_hv_",
  reportLink: "pas_rl_",
  reportBrowserSession: "pas_rv_",
} as const;

export type SecretKind = keyof typeof prefixes;

/** After the prefix of secrets that reach test data only. */
const testMark = "test_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretBytes = 32;
const bodyLength = 43;
const checksumLength = 6;

/**
 * A new secret: prefix, 256 random bits in base62, and the CRC32 of both in base62.
 * @param isTest whether it reaches test data only, and says so
 */
export function newSecret(kind: SecretKind, random: RandomBytes, isTest = false): string {
  const value = random(secretBytes).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const text = prefixes[kind] + (isTest ? testMark : "") + base62(value, bodyLength);
  return text + checksum(text);
}

/**
 * Whether the text can be a secret of that kind. It costs no look-up, so that mistyped and made-up secrets end here.
 */
export function isWellFormedSecret(kind: SecretKind, text: string): boolean {
  if (!text.startsWith(prefixes[kind])) return false;
  const bare = prefixes[kind].length + (isTestSecret(kind, text) ? testMark.length : 0) + bodyLength;
  if (text.length !== bare + checksumLength) return false;
  return text.slice(bare) === checksum(text.slice(0, bare));
}

/** Whether a secret of that kind says that it reaches test data only. */
export function isTestSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(testMark, prefixes[kind].length);
}

/** SHA-256 of a secret, 32 bytes. The secret has 256 random bits, so no salt and no stretching is needed. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

function checksum(text: string): string {
  let digitsFromTheRight = "";
  let rest = crc32(text);
  while (digitsFromTheRight.length < checksumLength) {
    digitsFromTheRight = digits.charAt(rest % 62) + digitsFromTheRight;
    rest = Math.floor(rest / 62);
  }
  return digitsFromTheRight;
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
