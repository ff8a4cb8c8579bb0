// What requests about webhook endpoints are held to, whoever reads them first.
import type { Violation } from "../errors/violation.ts";

export const maxUrlLength = 2048;
export const maxDescriptionLength = 255;
export const maxListedTypes = 16;
export const maxOverlapSeconds = 7 * 24 * 60 * 60;
export const maxRedelivered = 100;
export const maxWebhookPageSize = 500;

export interface EndpointSettings {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** Every violation of an endpoint's settings that can be told without knowing where its name leads. */
export function endpointSettingsViolations({ url, description, types }: EndpointSettings): Violation[] {
  const violations: Violation[] = [];
  if (url !== undefined) violations.push(...urlViolations(url));
  if (description !== undefined && (description.length > maxDescriptionLength || !description.isWellFormed())) {
    const detail = `A description has at most ${maxDescriptionLength} characters, and no half of a pair of surrogates.`;
    violations.push({ path: ["description"], code: "invalid_format", detail });
  }
  if (types !== undefined && types.length === 0) {
    violations.push({ path: ["types"], code: "too_few_items", detail: "At least one type must be given." });
  }
  if (types !== undefined && types.length > maxListedTypes) {
    const detail = `At most ${maxListedTypes} types can be given.`;
    violations.push({ path: ["types"], code: "too_many_items", detail });
  }
  return violations;
}

function urlViolations(text: string): Violation[] {
  const path = ["url"];
  const url = text.isWellFormed() && text.length <= maxUrlLength ? URL.parse(text) : null;
  if (url === null || url.href.length > maxUrlLength || !["http:", "https:"].includes(url.protocol)) {
    const detail = `Must be an absolute https URL of at most ${maxUrlLength} characters.`;
    return [{ path, code: "invalid_format", detail }];
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "User name and password do not belong into the URL: deliveries are signed instead.";
    return [{ path, code: "has_credentials", detail }];
  }
  if (url.hash !== "") return [{ path, code: "invalid_format", detail: "A fragment never reaches the receiver." }];
  return [];
}

/** The violation of an overlap of secrets. @param seconds undefined: the default */
export function overlapViolations(seconds: number | undefined): Violation[] {
  if (seconds === undefined || (seconds >= 0 && seconds <= maxOverlapSeconds)) return [];
  const detail = `The overlap is 0 to ${maxOverlapSeconds} seconds.`;
  return [{ path: ["overlapSeconds"], code: "out_of_range", detail }];
}

/** The violation of a page's size. @param size 0: the default */
export function webhookPageViolations(size: number): Violation[] {
  if (size >= 0 && size <= maxWebhookPageSize) return [];
  return [{ path: ["pageSize"], code: "out_of_range", detail: `A page has 1 to ${maxWebhookPageSize} entries.` }];
}
