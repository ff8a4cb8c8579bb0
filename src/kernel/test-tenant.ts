// The test twin of a partner: a partner beside it that holds nothing but test data. Its id says so: it is that of its
// partner with version 8 in the place of 7 (RFC 9562). So whoever sees a partner's id knows, without asking anybody.

/** Where the version of a UUID stands in its text. */
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

/** The id of the partner that a test twin belongs to; undefined for a partner that is none. */
export function partnerOfTwin(twinId: string): string | undefined {
  return withVersion(twinId, twinVersion, partnerVersion);
}

function withVersion(id: string, from: string, to: string): string | undefined {
  return id[versionPlace] === from ? id.slice(0, versionPlace) + to + id.slice(versionPlace + 1) : undefined;
}
