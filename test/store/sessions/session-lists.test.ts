// How much of a table a page of a list reads, whatever its filter lets pass.
import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { noFilter, type SessionFilter } from "../../../src/store/sessions/session-list-store.ts";
import { at, someId } from "../../support/builders.ts";
import { signal } from "../../support/deadline.ts";
import { worldOfFile } from "../../support/of-file.ts";

const externalId = "person";
const groupId = someId();

const world = await worldOfFile();
const partnerId = await world.addPartner();
const assessmentId = await world.stores.assessments.findGreatestAssessmentId(signal);
/** Of headless sessions, from the newest to the oldest: more than a page looks at, and one more. */
const ids = Array.from({ length: 1_001 }, (_, index) => uuidv7({ msecs: at(0).getTime() - index }));
const rows = ids.map((id) => [
  ...[uuidToBytes(id), uuidToBytes(partnerId), Buffer.from(externalId), uuidToBytes(groupId)],
  ...["values-bridge", assessmentId, "headless", 1, at(0), Buffer.alloc(0)],
]);
const columns = "id, partner_id, external_id, group_id, product, assessment_id, mode, revision, created_at, answers";
await world.connection.query(`INSERT INTO sessions (${columns}) VALUES ?`, [rows]);

const list = (of: Partial<SessionFilter>, before?: string) => {
  const place = { before, limit: 100, now: at(0) };
  return world.stores.sessionLists.listSessions(partnerId, "values-bridge", { ...noFilter, ...of }, place, signal);
};

test.each<[string, Partial<SessionFilter>]>([
  ["a partner", {}],
  ["a person", { externalId }],
  ["a group", { groupId }],
])(
  "a page of the sessions of %s ends after 500 that no filter matches, and the next continues there",
  async (_, of) => {
    const page = (before?: string) => list({ ...of, mode: "hosted" }, before);
    expect(await page()).toEqual({ sessions: [], next: ids[499] });
    expect(await page(ids[499])).toEqual({ sessions: [], next: ids[999] });
    expect(await page(ids[999])).toEqual({ sessions: [], next: undefined });
  },
);

test.each<[string, Partial<SessionFilter>, number]>([
  ["at a time or later", { createdAfter: at(0) }, 100],
  ["later than that", { createdAfter: at(1) }, 0],
  ["before a time that follows", { createdBefore: at(1) }, 100],
  ["before that time", { createdBefore: at(0) }, 0],
])("sessions that were created %s are found by that time, though their ids were made before", async (_, of, count) => {
  expect((await list(of, ids[500])).sessions).toHaveLength(count);
});
