// Cases of who may do what: tokens, scopes, and walls between partners.
import { expect } from "vitest";
import { partnerScopes, type Scope } from "../../../src/domain/identity/scopes.ts";
import { addCaller } from "../../support/app.ts";
import type { As, Outcome, Transport } from "../../support/transports/transports.ts";
import { answer, bodyOf, type Case, completedSession, expectRefused, newSession, uniqueId } from "./case.ts";

interface Target {
  readonly sessionId: string;
  readonly externalId: string;
}

/** Every operation of a partner, with the scope it requires. */
const operations: readonly {
  readonly name: string;
  readonly scope: Scope;
  readonly call: (transport: Transport, as: As, target: Target) => Promise<Outcome<unknown>>;
}[] = [
  { name: "create", scope: "sessions:write", call: (transport, as) => transport.createSession(as, {}) },
  {
    name: "status",
    scope: "sessions:read",
    call: (transport, as, { sessionId }) => transport.getSession(as, sessionId),
  },
  {
    name: "answers",
    scope: "sessions:write",
    call: (transport, as, { sessionId }) => transport.recordAnswers(as, sessionId, [answer(1001, 4)]),
  },
  {
    name: "complete",
    scope: "sessions:write",
    call: (transport, as, { sessionId }) => transport.completeSession(as, sessionId, [answer(1001, 4)]),
  },
  {
    name: "cancel",
    scope: "sessions:write",
    call: (transport, as, { sessionId }) => transport.cancelSession(as, sessionId),
  },
  {
    name: "reopen",
    scope: "sessions:write",
    call: (transport, as, { sessionId }) => transport.reopenSession(as, sessionId),
  },
  {
    name: "session link",
    scope: "sessions:write",
    call: (transport, as, { sessionId }) => transport.createSessionLink(as, sessionId),
  },
  {
    name: "results",
    scope: "results:read",
    call: (transport, as, { sessionId }) => transport.getSessionResults(as, sessionId),
  },
  {
    name: "explained results",
    scope: "results:read",
    call: (transport, as, { sessionId }) => transport.getSessionResults(as, sessionId, true),
  },
  {
    name: "latest",
    scope: "results:read",
    call: (transport, as, { externalId }) => transport.getLatestResults(as, externalId),
  },
  {
    name: "results with quality",
    scope: "results:read",
    call: (transport, as, { sessionId }) => transport.getQuality(as, sessionId),
  },
  {
    name: "change",
    scope: "results:read",
    call: (transport, as, { externalId }) => transport.getChange(as, externalId),
  },
  { name: "list", scope: "sessions:read", call: (transport, as) => transport.listSessions(as) },
  {
    name: "history",
    scope: "results:read",
    call: (transport, as, { externalId }) => transport.listSubjectSessions(as, externalId),
  },
  { name: "norms", scope: "norms:read", call: (transport, as) => transport.getNorms(as) },
  {
    name: "report",
    scope: "results:read",
    call: (transport, as, { sessionId }) => transport.getReport(as, { sessionId }),
  },
  {
    name: "report of a person",
    scope: "results:read",
    call: (transport, as, { externalId }) => transport.renderReport(as, { externalId }, { format: "html" }),
  },
  {
    name: "report link",
    scope: "reports:share",
    call: (transport, as, { sessionId }) => transport.createReportLink(as, sessionId),
  },
  {
    name: "revocation of report links",
    scope: "reports:share",
    call: (transport, as, { sessionId }) => transport.revokeReportLinks(as, sessionId),
  },
  {
    name: "step that a person chose",
    scope: "reports:share",
    call: (transport, as, { sessionId }) => transport.setIntention(as, sessionId, { step: "Call one person" }),
  },
  {
    name: "reading of that step",
    scope: "reports:share",
    call: (transport, as, { sessionId }) => transport.getIntention(as, sessionId),
  },
  { name: "assessment", scope: "assessments:read", call: (transport, as) => transport.getAssessment(as) },
  { name: "events", scope: "events:read", call: (transport, as) => transport.listEvents(as, {}) },
  {
    name: "erase",
    scope: "subjects:delete",
    call: (transport, as, { externalId }) => transport.eraseSubject(as, externalId),
  },
];

/** Operations on something that belongs to somebody. */
export const onTarget = operations.filter(
  ({ name }) => !["create", "list", "assessment", "norms", "events"].includes(name),
);
export const nowhere = { sessionId: "00000000-0000-7000-8000-000000000000", externalId: "nobody" };

export const accessCases: readonly Case[] = [
  ...operations.map(
    ({ name, scope, call }): Case => ({
      name: `${name} requires a token, and before anything else`,
      outcome: "unauthenticated",
      async run({ transport }) {
        const malformed = { sessionId: "not-a-uuid", externalId: "x" };
        for (const token of [undefined, "nonsense", `pas_at_${"0".repeat(49)}`]) {
          expectRefused(await call(transport, { token }, malformed), "unauthenticated");
          expectRefused(await call(transport, { token, product: "other" }, malformed), "unauthenticated");
        }
        expect(scope).not.toBe("none");
      },
    }),
  ),
  ...operations.map(
    ({ name, scope, call }): Case => ({
      name: `${name} requires the scope ${scope}`,
      outcome: "permission_denied",
      async run({ app, transport }) {
        const others = partnerScopes.filter((each) => each !== scope);
        const { token } = await addCaller(app, others);
        expectRefused(await call(transport, { token }, nowhere), "permission_denied");
        const allowed = await addCaller(app, [scope]);
        const outcome = await call(transport, { token: allowed.token }, nowhere);
        expect(outcome.ok || outcome.code).not.toBe("permission_denied");
      },
    }),
  ),
  ...onTarget.map(
    ({ name, call }): Case => ({
      name: `${name} on another partner's data is not found, in the very words of what does not exist`,
      outcome: "not_found",
      async run(world) {
        const { transport, bob, alice } = world;
        const externalId = uniqueId("person");
        const { sessionId, completed } = await completedSession(world, { subject: { externalId } });
        const foreign = await call(transport, bob, { sessionId, externalId });
        expectRefused(foreign, "not_found");
        expect(await call(transport, bob, nowhere)).toEqual(foreign);
        expect(bodyOf(await transport.getLatestResults(alice, externalId)).results).toEqual(completed.results);
      },
    }),
  ),
  {
    name: "an open session of another partner takes no answers",
    outcome: "not_found",
    async run(world) {
      const { transport, bob, alice } = world;
      const { sessionId } = await newSession(world);
      expectRefused(await transport.recordAnswers(bob, sessionId, [answer(1001, 4)]), "not_found");
      expectRefused(await transport.completeSession(bob, sessionId, [answer(1001, 4)]), "not_found");
      expect(bodyOf(await transport.getSession(alice, sessionId)).status).toBe("in_progress");
    },
  },
  {
    name: "an id that is no UUID, and an unknown product, are not found",
    outcome: "not_found",
    async run(world) {
      const { transport, alice } = world;
      const { sessionId } = await newSession(world);
      expectRefused(await transport.getSession(alice, "not-a-uuid"), "not_found");
      expectRefused(await transport.getSession(alice, `{${sessionId}}`), "not_found");
      expectRefused(await transport.getSession({ ...alice, product: "other" }, sessionId), "not_found");
      expectRefused(
        await transport.recordAnswers({ ...alice, product: "other" }, sessionId, [answer(1001, 4)]),
        "not_found",
      );
    },
  },
  {
    name: "results under another product's path are not found",
    outcome: "not_found",
    async run(world) {
      const { transport, alice } = world;
      const { sessionId, subject } = await completedSession(world);
      const other = { ...alice, product: "other" };
      expectRefused(await transport.getSessionResults(other, sessionId), "not_found");
      expectRefused(await transport.getSessionResults(other, sessionId, true), "not_found");
      expectRefused(await transport.getLatestResults(other, subject.externalId), "not_found");
      bodyOf(await transport.getSessionResults(alice, sessionId));
    },
  },
  {
    name: "only a client with the scope may act for another partner",
    outcome: "permission_denied",
    async run(world) {
      const { app, transport, alice, bob } = world;
      const internal = await app.addPartner({ internal: true });
      const agent = await app.addClient(internal, [...partnerScopes, "partners:act-as"]);
      const token = await app.tokenOf(agent);
      const other = await addCaller(app);
      const actingFor = { token, partnerId: other.partnerId };
      const { sessionId } = bodyOf(await transport.createSession(actingFor, {}));
      expect(bodyOf(await transport.getSession({ token: other.token }, sessionId)).status).toBe("in_progress");
      expectRefused(await transport.getSession({ token }, sessionId), "not_found");
      expectRefused(await transport.getSession(alice, sessionId), "not_found");
      expectRefused(
        await transport.getSession({ ...bob, partnerId: other.partnerId } as As, sessionId),
        "permission_denied",
      );
      const unknown = { token, partnerId: "00000000-0000-7000-8000-000000000000" };
      expectRefused(await transport.getSession(unknown, sessionId), "not_found");
      expectRefused(await transport.getSession({ token, partnerId: "nobody" }, sessionId), "not_found");
    },
  },
];
