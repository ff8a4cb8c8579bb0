// Validates the URL of a webhook endpoint, before its host name is resolved.
import type { Violation } from "../../kernel/errors/violation.ts";

const maxHrefLength = 2048;

/** @param text undefined: it stays as it is */
export function urlViolations(text: string | undefined): Violation[] {
  if (text === undefined) return [];
  const path = ["url"];
  const url = text.isWellFormed() ? URL.parse(text) : null;
  // The href is what is stored and used: encoded, it may be longer than the text.
  if (url === null || url.href.length > maxHrefLength || !["http:", "https:"].includes(url.protocol)) {
    const detail = `Must be an absolute https URL of at most ${maxHrefLength} characters.`;
    return [{ path, code: "invalid_format", detail }];
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "User name and password do not belong into the URL: deliveries are signed instead.";
    return [{ path, code: "has_credentials", detail }];
  }
  if (url.hash !== "") return [{ path, code: "invalid_format", detail: "A fragment never reaches the receiver." }];
  return [];
}
