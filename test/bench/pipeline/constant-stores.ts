// Stores that hold constants: what is left is the pipeline. One client, one session that is open for ever.

import type { PublishedAssessment, StoredAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import type { StoredSession } from "../../../src/domain/sessions/session.ts";
import { noEndTimes } from "../../../src/kernel/session-states.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import type { Stores } from "../../../src/store/stores.ts";
import { opened } from "../../support/values-bridge/opened.ts";

const partnerId = "01900000-0000-7000-8000-000000000001";
const clientId = "01900000-0000-7000-8000-000000000002";
export const sessionId = "01900000-0000-7000-8000-000000000003";
const created = new Date("2026-01-01T00:00:00Z");
const farAway = new Date("2100-01-01T00:00:00Z");

/** The built-in instrument as published, or one without any question. */
export function constantAssessment(hasQuestions: boolean): { stored: StoredAssessment; open: PublishedAssessment } {
  const definition = valuesBridge as unknown as Definition;
  const values = definition.values.map((value) => ({ ...value, items: [] }));
  const stored = {
    id: 1,
    product: definition.product,
    version: 1,
    definition: hasQuestions ? definition : { ...definition, values },
    publishedAt: created,
  };
  return { stored, open: opened(stored) };
}

/** Stores for CreateSession, GetSession and RecordAnswers, with any token that is well-formed. */
export function constantStores(hasQuestions: boolean): Stores {
  const { stored } = constantAssessment(hasQuestions);
  const session: StoredSession = {
    id: sessionId,
    partnerId,
    externalId: "person",
    assessmentId: stored.id,
    mode: "headless",
    redirectUrl: null,
    locale: null,
    personAccess: "none",
    createdAt: created,
    ...noEndTimes,
    expiresAt: null,
    answersDeletedAt: null,
    resultsDeletedAt: null,
    revision: 0,
    answers: [],
    arrivals: null,
    shownLanguage: null,
    groupId: null,
  };
  const client = {
    id: clientId,
    partnerId,
    name: "Bench",
    scopes: partnerScopes,
    disabledAt: null,
    createdAt: created,
  };
  return {
    sessions: only<Stores["sessions"]>({
      insertSession: async () => "inserted",
      findSession: async () => session,
      changeSession: async (_name, change) => {
        const { save, result } = await change(session);
        return save === undefined || (await save()) ? result() : undefined;
      },
      saveAnswers: async () => true,
    }),
    assessments: only<Stores["assessments"]>({
      findLatestAssessmentId: async () => stored.id,
      findAssessment: async () => stored,
    }),
    identities: only<Stores["identities"]>({
      findToken: async (hash) => ({ token: { hash, clientId, scopes: partnerScopes, expiresAt: farAway }, client }),
    }),
    idempotencyKeys: only({}),
    sessionLists: only({}),
    sessionPolicies: only({}),
    testClocks: only({}),
    audit: only<Stores["audit"]>({ append: async () => undefined }),
    exports: only({}),
    subjectRecords: only({}),
    usage: only({}),
    hosted: only({}),
    reportAccess: only({}),
    brandings: only({}),
    signingKeys: only({}),
    maintenance: only({}),
    norms: only({}),
    groups: only({}),
    normPools: only({}),
    jobLeases: only({}),
    databaseClock: only({}),
    events: only({}),
    webhooks: only({}),
    deliveries: only({}),
  };
}

/** An object of which only these members may be used. */
function only<T extends object>(members: Partial<T>): T {
  return new Proxy(members as T, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (member === undefined) throw new Error(`the constant store has no ${String(name)}`);
      return member;
    },
  });
}
