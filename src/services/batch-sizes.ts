// The number of rows that background work takes at a time: enough to be quick, few enough that calls need not wait for it.

export const batchSizes = {
  /** Removed records and anchors of the audit log. */
  auditRecords: 1_000,
  /** Sessions, and rows of the outbox, whose events one transaction publishes. */
  publications: 500,
  /** Removed tokens, links, browser sessions, events and deliveries. */
  removals: 1_000,
  /** Sessions that are marked as expired. */
  expirations: 500,
  /** Sessions of a policy that one statement checks. */
  retentionChecks: 2_000,
  /** Sessions that one transaction erases. */
  erasures: 200,
  /** Policies, participants in norms of all partners, or clocks of test twins, that one statement lists. */
  partnerRows: 100,
  /** Sessions of a group that are read together: some milliseconds of work. */
  groupSessions: 20,
  /** Sessions that are read together for norms. */
  normSessions: 50,
  /** Runs of norms that one statement lists. */
  normRuns: 1_000,
  /** Bytes of the sessions of a page of an export, unless it has a single one. Leaves room for the rest of the message. */
  exportBytes: 3 << 20,
};

/** Sessions that are decoded before other calls may run: a fraction of a millisecond each. */
export const sessionsPerYield = 4;

export type BatchSizes = Readonly<typeof batchSizes>;
