// What each removal leaves, by every row of every table: of what is removed nothing but what is listed here, and of
// everybody else everything.
import { beforeEach, expect, test } from "vitest";
import { toEventCode } from "../../../src/domain/events/event-types.ts";
import { toSubject } from "../../../src/domain/identifiers.ts";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import {
  at,
  someArrivals,
  someClient,
  someEndpoint,
  someErasure,
  someGroup,
  someId,
  someLink,
  somePolicy,
  someRecording,
  someReportBrowserSession,
  someReportLink,
  someResults,
  someSealedSecret,
  someSecret,
  someToken,
} from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { changesBy, placesOfId, type RowChanges, wholeRowsOf } from "../../support/databases/whole-rows.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const database = await storesOfFile();
let mine: Partner;
beforeEach(async () => {
  // Another one has persons of the same names.
  [mine] = [await newPartner(), await newPartner()];
  await sequenceEvents(database);
});

type Partner = Awaited<ReturnType<typeof newPartner>>;

/** A partner with all that one can have: a client, an endpoint, a group, and two persons. */
async function newPartner() {
  const { identities, webhooks, groups, sessionPolicies, testClocks } = database;
  const partnerId = someId();
  await identities.insertPartner({ id: partnerId, name: "Partner", internal: false, createdAt: at(0) }, signal);
  const client = someClient({ partnerId });
  const token = someToken(client.id);
  await identities.insertClient(client, someSecret(client.id), signal);
  for (const each of [token, someToken(client.id)]) await identities.insertToken(each, signal);
  const endpoint = someEndpoint(partnerId);
  await webhooks.insertEndpoint(endpoint, someSealedSecret(endpoint.id), 16, signal);
  const group = someGroup({ partnerId });
  await groups.insertGroup(group, 10, signal);
  await sessionPolicies.savePolicy(somePolicy(partnerId), signal);
  await testClocks.saveTestClock({ partnerId, aheadMs: 1_000 }, signal);
  const [ada, bea] = [await hold("Ada", 1), await hold("Bea", 2)];
  return { partnerId, client, token, endpoint, group, ada, bea };

  /** A person with all that one can have: of one session all is over, the other one has just begun. */
  async function hold(externalId: string, number: number) {
    const { sessions, hosted, reportAccess, connection } = database;
    const begin = async (key: string, groupId: string | null) => {
      const idempotency = { key: `${key} of ${externalId}`, requestHash: Buffer.alloc(32, key) };
      const about = { partnerId, externalId, idempotency, groupId, redirectUrl: `https://example.com/${externalId}` };
      const session = await storeSession(database, { ...about, mode: "hosted", locale: `de-x-${externalId}` });
      const [link, reportLink] = [someLink(session), someReportLink(session, { name: `name of ${externalId}` })];
      await hosted.addLink(link, 10, signal);
      await hosted.addBrowserSession({ ...someLink(session), linkHash: link.hash }, 10, signal);
      await reportAccess.addLink(reportLink, 10, signal);
      await reportAccess.addBrowserSession(someReportBrowserSession(session, reportLink.hash), 10, signal);
      const view = { partnerId, sessionId: session.id, linkHash: reportLink.hash, viewedAt: at(1) };
      await reportAccess.recordView(view, signal);
      return session;
    };
    const session = await begin("done", group.id);
    const recording = someRecording([1], { arrivals: someArrivals(at(1)), shownLanguage: "de" });
    await sessions.saveCompletion(session, 0, { ...recording, completedAt: at(5), results: someResults() }, signal);
    const step = { step: "Sow", lookAgainOn: null, setAt: at(6) };
    await reportAccess.saveIntention({ partnerId, sessionId: session.id }, step, signal);
    const open = await begin("open", null);
    await sessions.saveAnswers(open, 0, recording, signal);
    // An event that waits to be sent again, and what is known of the first try.
    const values = [uuidToBytes(partnerId), uuidToBytes(endpoint.id), number, uuidToBytes(session.id)];
    const parked = `INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts)
      VALUES (?, ?, ?, ?, 1, 1)`;
    await connection.query(parked, values);
    await connection.query(
      `INSERT INTO webhook_attempts (partner_id, endpoint_id, sequence, resource_id, id, attempt, at, took_ms, expires_at)
       VALUES (?, ?, ?, ?, ?, 1, NOW(3), 1, NOW(3) + INTERVAL 3 DAY)`,
      [...values, number],
    );
    return { session, open };
  }
}

interface Removal {
  /** What has to have happened before. */
  prepare?(): Promise<unknown>;
  remove(): Promise<unknown>;
  /** All that becomes of any row. */
  readonly changes: Readonly<Record<string, RowChanges>>;
  /** Where the session is named afterwards that this is about, if that is told. */
  readonly names?: readonly string[];
}

const nothing = Buffer.of();

/** The removals that somebody asks for, each with what it leaves. */
function removals(partner: Partner): Readonly<Record<string, Removal>> {
  const { sessions, hosted, reportAccess, groups, identities, webhooks } = database;
  const { testClocks } = database;
  const { partnerId, client, token, endpoint, ada, bea, group } = partner;
  const members = [ada.session, bea.session].map(({ id, externalId }) => {
    return {
      sessionId: id,
      personId: toSubject(partnerId, externalId).id,
      answersHash: Buffer.alloc(16),
      sheetId: someId(),
    };
  });
  const erasure = someErasure(partnerId);
  const erasedEvent = ({ id }: NewSession) => ({
    partner_id: uuidToBytes(partnerId),
    resource_id: uuidToBytes(id),
    type: toEventCode("session.erased"),
    assessment_id: 1,
    occurred_at: erasure.erasedAt,
  });
  /** What goes with sessions of which one was completed. */
  const erasureOf = (erasedSessions: readonly NewSession[], events: number): Removal["changes"] => {
    const ofEach = [
      "hosted_links",
      "hosted_browser_sessions",
      "report_links",
      "report_browser_sessions",
      "report_views",
    ];
    const ofOne = ["report_intentions", "webhook_attempts", "webhook_deliveries"];
    return {
      ...Object.fromEntries(["sessions", ...ofEach].map((table) => [table, { gone: erasedSessions.length }])),
      ...Object.fromEntries(ofOne.map((table) => [table, { gone: 1 }])),
      events: { gone: events },
      event_outbox: { added: erasedSessions.map(erasedEvent) },
    };
  };
  const noAnswers = {
    answers: nothing,
    last_answer_at: null,
    answer_calls: null,
    first_call_answers: null,
    shown_language: null,
  };
  const [next, nextReport] = [someLink(ada.session), someReportLink(ada.session)];
  const nextSecret = someSecret(client.id, at(9));
  const linkOf = ({ hash, sessionId, createdAt, expiresAt }: typeof next) => ({
    hash,
    partner_id: uuidToBytes(partnerId),
    session_id: uuidToBytes(sessionId),
    created_at: createdAt,
    expires_at: expiresAt,
  });
  return {
    "a person is erased": {
      remove: () => sessions.eraseSessions([ada.session.id, ada.open.id], erasure, signal),
      changes: erasureOf([ada.session, ada.open], 7),
      names: ["event_outbox.resource_id"],
    },
    "the answers of a session are deleted": {
      remove: () => sessions.eraseData("answers", [ada.session.id], erasure, signal),
      changes: {
        sessions: { changed: [{ ...noAnswers, answers_deleted_at: erasure.deletedAt }] },
      },
    },
    "the results of a session are deleted": {
      remove: () => sessions.eraseData("results", [ada.session.id], erasure, signal),
      changes: {
        sessions: { changed: [{ results: nothing, results_deleted_at: erasure.deletedAt }] },
        report_intentions: { gone: 1 },
      },
    },
    "a session is cancelled and its answers are erased": {
      remove: () => sessions.saveCancellation({ ...ada.open, revision: 1 }, at(7), true, signal),
      changes: {
        sessions: {
          changed: [
            {
              ...noAnswers,
              revision: 2,
              cancelled_at: at(7),
              unpublished: expect.any(Buffer),
              unpublished_since: expect.any(Date),
            },
          ],
        },
      },
    },
    "the report links of a session are revoked": {
      remove: () => reportAccess.removeAccess(ada.session, signal),
      changes: { report_links: { gone: 1 }, report_browser_sessions: { gone: 1 } },
    },
    // Whoever came by the older one does not see the report any more.
    "a report link is one too many": {
      remove: () => reportAccess.addLink(nextReport, 1, signal),
      changes: {
        report_links: {
          gone: 1,
          added: [{ ...linkOf(nextReport), locale: null, name: null, day: null, time_zone: null, card: null }],
        },
      },
    },
    "a step that a person chose is taken away": {
      remove: () => reportAccess.saveIntention(nextReport, { step: "", lookAgainOn: null, setAt: at(1) }, signal),
      changes: { report_intentions: { gone: 1 } },
    },
    // Whoever came by the older one stays until that time is over.
    "a link to a hosted page is one too many": {
      remove: () => hosted.addLink(next, 1, signal),
      changes: { hosted_links: { gone: 1, added: [linkOf(next)] } },
    },
    // Whoever came by those before has to open the new one.
    "a new link takes the place of those to a hosted page": {
      remove: () => hosted.replaceLinks(next, signal),
      changes: { hosted_links: { gone: 1, added: [linkOf(next)] }, hosted_browser_sessions: { gone: 1 } },
    },
    "a client's secret is one too many": {
      remove: () => identities.addClientSecret(nextSecret, 1, signal),
      changes: {
        client_secrets: {
          gone: 1,
          added: [{ hash: nextSecret.hash, client_id: uuidToBytes(client.id), created_at: nextSecret.createdAt }],
        },
      },
    },
    "an access token is revoked": {
      remove: () => identities.deleteToken(token.hash, client.id, signal),
      changes: { access_tokens: { gone: 1 } },
    },
    // What is known of deliveries and attempts names no endpoint's address, and goes in its time.
    "an endpoint is deleted": {
      remove: () => webhooks.deleteEndpoint(partnerId, endpoint.id, signal),
      changes: { webhook_endpoints: { gone: 1 }, webhook_secrets: { gone: 1 } },
    },
    "a test clock is put back": {
      remove: () => testClocks.deleteTestClock(partnerId, signal),
      changes: { test_clocks: { gone: 1 } },
    },
    "the answers of a member are in the numbers of a group, and are erased": {
      prepare: () =>
        groups.closeGroup(
          group,
          { closedAt: at(8), closings: 0, members, outcome: { numbers: "{}", hasSpread: false } },
          signal,
        ),
      remove: () => sessions.eraseSessions([ada.session.id], erasure, signal),
      changes: {
        ...erasureOf([ada.session], 5),
        group_members: { changed: [{ session_id: null, person_id: null, answers_hash: null }] },
        session_groups: { changed: [{ held: 1, numbers: null, withheld: "withdrawn" }] },
      },
      names: ["event_outbox.resource_id"],
    },
  };
}

const names = Object.keys(removals(await newPartner()));

test.each(names)("%s: its own rows are removed, and every other row stays as it was", async (name) => {
  const removal = removals(mine)[name];
  await removal?.prepare?.();
  expect(await changesBy(database.connection, async () => removal?.remove())).toEqual(removal?.changes);
  if (removal?.names === undefined) return;
  expect(placesOfId(mine.ada.session.id, await wholeRowsOf(database.connection))).toEqual(removal.names);
});

/** What goes for its age alone: jobs.test.ts says by which job, test/store/audit.test.ts when anchors go. */
const byAge = ["access_tokens", "audit_anchors", "audit_log", "event_outbox", "hosted_browser_sessions"];

/** No row goes: each is of the service, of a partner, or counts or sums many; or forgets the person whose it was. */
const kept = [
  ...["assessments", "clients", "partners", "partner_brandings", "session_groups", "group_members", "session_policies"],
  ...["event_heads", "event_position", "job_leases", "partner_locks", "signing_keys", "usage_days"],
  "migrations",
  ...[
    "norm_numbers",
    "norm_pool_counts",
    "norm_pool_partners",
    "norm_pool_quarters",
    "norm_pool_releases",
    "norm_runs",
  ],
];

test("every table is listed, with what removes its rows or what keeps them", async () => {
  const all = [...(await wholeRowsOf(database.connection)).keys()];
  const emptied = Object.values(removals(mine)).flatMap(({ changes }) =>
    Object.entries(changes).flatMap(([table, { gone }]) => (gone === undefined ? [] : [table])),
  );
  expect(all.filter((table) => ![...emptied, ...byAge].includes(table)).toSorted()).toEqual(kept.toSorted());
});
