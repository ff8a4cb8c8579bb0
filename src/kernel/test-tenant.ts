// The test twin of a partner: a second partner that holds test data only. Its id is that of its partner with UUID version 8
// instead of 7 (RFC 9562), so the id alone shows that it is a twin.

/** Position of the version in the text of a UUID. */
const versionPlace = 14;
const partnerVersion = "7";
const twinVersion = "8";

/** Whether a partner's id is that of a test twin. @param partnerId in its canonical form */
export function isTestTwin(partnerId: string): boolean {
  return partnerId[versionPlace] === twinVersion;
}

/** The id of a partner's test twin; undefined for a twin, which has none. */
export function twinOf(partnerId: string): string | undefined {
  return withVersion(partnerId, partnerVersion, twinVersion);
}

/** The id of the partner that a test twin belongs to; undefined if the partner is no twin. */
export function partnerOfTwin(twinId: string): string | undefined {
  return withVersion(twinId, twinVersion, partnerVersion);
}

function withVersion(id: string, from: string, to: string): string | undefined {
  return id[versionPlace] === from ? id.slice(0, versionPlace) + to + id.slice(versionPlace + 1) : undefined;
}
