// Ids as texts: UUIDs, products, and the partners of test twins.

/** UUIDs in their canonical form (RFC 9562). */
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID in its canonical lower-case form, or undefined if the text is not a UUID. */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return canonicalUuid.test(lower) ? lower : undefined;
}

/** Whether a text is a UUID, in any case. */
export function isUuid(text: string): boolean {
  return parseUuid(text) !== undefined;
}

/** The 16 bytes of a UUID. */
export function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

export function bytesToUuid(bytes: Buffer): string {
  return formatUuid(bytes.toString("hex"));
}

/** The UUID of 32 digits. */
export function formatUuid(hex: string): string {
  // Unlike a template, which would keep all its parts in memory, this gives one string of 36 bytes. Some are cached.
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export const products = ["values-bridge"] as const;

const productNames: ReadonlySet<string> = new Set(products);

/** Whether a text names a product. */
export function isProduct(text: string): boolean {
  return productNames.has(text);
}

/**
 * Position of the version in the text of a UUID. A test twin, a second partner that holds test data only, has the id of its
 * partner with version 8 instead of 7, so the id alone shows that it is a twin.
 */
const versionIndex = 14;
const partnerVersion = "7";
const twinVersion = "8";

/** Whether a partner's id is that of a test twin. @param partnerId in its canonical form */
export function isTestTwin(partnerId: string): boolean {
  return partnerId[versionIndex] === twinVersion;
}

/** The id of a partner's test twin; undefined for a twin, which has none. */
export function toTwinId(partnerId: string): string | undefined {
  return changeVersion(partnerId, partnerVersion, twinVersion);
}

/** The id of the partner that a test twin belongs to; undefined if the partner is no twin. */
export function toPartnerId(twinId: string): string | undefined {
  return changeVersion(twinId, twinVersion, partnerVersion);
}

function changeVersion(id: string, from: string, to: string): string | undefined {
  return id[versionIndex] === from ? id.slice(0, versionIndex) + to + id.slice(versionIndex + 1) : undefined;
}
