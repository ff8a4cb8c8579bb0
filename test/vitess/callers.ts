// Who sends a statement: a request of a partner, or jobs and operators, who ask for rows of all partners.

/** Methods of stores that jobs, metrics and commands of operators use, and no request but those of all partners. */
const methods = [
  ...["groups.findNextDuePartner", "groups.listDue"],
  ...["sessions.listDue", "sessions.announceDue", "sessions.listUnscored"],
  ...["sessions.saveResults", "sessions.eraseData", "sessionPolicies.listPolicies", "sessionPolicies.saveProgress"],
  ...["sessionPolicies.listDeletable", "norms.findNextPartner", "norms.listRuns"],
  ...["norms.listPublished", "norms.saveRun"],
  ...["normPools.listParticipants", "normPools.listCounts", "normPools.isDecided", "normPools.saveDecidedQuarter"],
  ...["normPools.saveRelease", "testClocks.listTestClocks", "events.findUnpublishedAge", "events.skipAhead"],
  ...["events.expireEvents", "webhooks.resealSecret", "deliveries.listDueEndpoints", "deliveries.settleAndClaim"],
  ...["deliveries.wakeEndpoints", "deliveries.readDeliveryState", "deliveries.deleteExpiredAttempts"],
  ...["deliveries.deleteUnkeptDeliveries", "maintenance.deleteExpired", "sequencer.publish"],
  ...["events.listAllEvents", "events.findBounds"],
];
/** Files of the store of which the same is true. */
const files = [
  "webhooks/delivery-store.ts",
  ...["webhooks/settle-and-claim.ts", "webhooks/delivery-changes.ts", "retention/maintenance-store.ts"],
];
/** Statements of other files, of which the same is true, and that no call of the tests sends. */
const statements = ["webhooks/webhook-statements.ts listAll"];
export const jobSenders: ReadonlySet<string> = new Set([...methods, ...files, ...statements]);

/** Whether jobs or operators use a method such as `norms.saveRun`, or a statement such as `webhooks/delivery-store.ts wake`. */
export function isOfJobs(sender: string): boolean {
  return jobSenders.has(sender) || jobSenders.has(fileOf(sender));
}

/** Of a statement its file; of a method the method itself. */
export function fileOf(sender: string): string {
  return sender.split(" ")[0] ?? "";
}
