// The canonical form of UUIDs (RFC 9562).

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in lower case. */
export function isCanonicalUuid(text: string): boolean {
  return canonical.test(text);
}

/** Whether a text is a UUID, in whatever case. */
export function isUuid(text: string): boolean {
  return canonical.test(text.toLowerCase());
}
