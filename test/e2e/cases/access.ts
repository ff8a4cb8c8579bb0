// Cases of who may do what: tokens, scopes, and walls between partners. Every operation that the protos state is here by
// itself.
import { expect } from "vitest";
import { partnerScopes, type Scope } from "../../../src/domain/identity/scopes.ts";
import { type Operation, operations } from "../../../src/gateway/rest/operations.ts";
import { readRequiredScope } from "../../../src/kernel/rpc-options.ts";
import { addCaller } from "../../support/app.ts";
import type { As, Input, Transport } from "../../support/transports/transports.ts";
import {
  answer,
  bodyOf,
  type Cases,
  casesOf,
  completedSession,
  expectRefused,
  newSession,
  uniqueId,
  type World,
} from "./case.ts";

/** What operations are about. */
export interface Target {
  readonly sessionId: string;
  readonly externalId: string;
  readonly groupId: string;
  readonly endpointId: string;
}

const unknownId = "00000000-0000-7000-8000-000000000000";
export const nowhere: Target = {
  sessionId: unknownId,
  externalId: "nobody",
  groupId: unknownId,
  endpointId: unknownId,
};

/** What a request must say beside its address. */
export const bodies: Readonly<Record<string, Input>> = {
  recordAnswers: { answers: [answer(1001, 4)] },
  completeSession: { answers: [answer(1001, 4)] },
  autofillSession: { persona: "archetype-7" },
  setIntention: { step: "Call one person" },
  createGroup: { label: "Team" },
  createJoinCode: { maxSessions: 1, redirectUrl: "https://partner.example/done" },
  createWebhookEndpoint: { url: "http://127.0.0.1:9/hooks", types: ["session.created"] },
  redeliverEvents: { eventIds: [`evt_${unknownId.replaceAll("-", "")}_created`] },
};

/** Makes a call that is right, about something. */
export function callOn(transport: Transport, as: As, { id, path }: Operation, target: Target) {
  const named = Object.entries(target).filter(([name]) => path.some(({ field }) => field.jsonName === name));
  return transport.call(as, id, { ...Object.fromEntries(named), ...bodies[id] });
}

/** Operations on something that belongs to somebody. Test credentials alone hear whether a persona finds its session. */
export const onTarget = operations.filter(
  ({ id, path }) => id !== "autofillSession" && path.some(({ field }) => field.jsonName in nowhere),
);
/** What is refused to all but test credentials, whatever their scopes. */
const ofTwins = new Set(["autofillSession", "getTestClock", "setTestClock"]);

/** A partner's own of each kind. */
export async function ownTarget(world: World) {
  const { transport, alice } = world;
  const externalId = uniqueId("person");
  const { sessionId, completed } = await completedSession(world, { subject: { externalId } });
  const { groupId } = bodyOf(await transport.createGroup(alice, { label: "Team" }));
  // Nothing listens there.
  const hook = { url: `http://127.0.0.1:9/${crypto.randomUUID()}`, types: ["session.created"] };
  const creation = await transport.createWebhookEndpoint(alice, hook);
  const { endpointId } = bodyOf(creation).endpoint;
  return { target: { sessionId, externalId, groupId, endpointId }, results: completed.results };
}

export const accessCases: Cases = {
  ...casesOf(operations, (operation) => ({
    [`${operation.id} requires a token, and before anything else`]: async ({ transport }) => {
      const malformed = { sessionId: "not-a-uuid", externalId: "x", groupId: "x", endpointId: "x" };
      for (const token of [undefined, "nonsense", `pas_at_${"0".repeat(49)}`]) {
        expectRefused(await callOn(transport, { token }, operation, malformed), "unauthenticated");
        expectRefused(await callOn(transport, { token, product: "other" }, operation, malformed), "unauthenticated");
      }
    },
  })),
  ...casesOf(operations, (operation) => {
    const scope = readRequiredScope(operation.rpc) as Scope;
    return {
      [`${operation.id} requires the scope ${scope}`]: async ({ app, transport }) => {
        const others = partnerScopes.filter((each) => each !== scope);
        const { token } = await addCaller(app, others);
        expectRefused(await callOn(transport, { token }, operation, nowhere), "permission_denied");
        if (ofTwins.has(operation.id)) return;
        const allowed = await addCaller(app, [scope]);
        const outcome = await callOn(transport, { token: allowed.token }, operation, nowhere);
        expect(outcome.ok || outcome.code).not.toBe("permission_denied");
      },
    };
  }),
  "data of another partner is not found, in the same words as data that does not exist": async (world) => {
    const { transport, bob, alice } = world;
    const { target, results } = await ownTarget(world);
    for (const operation of onTarget) {
      const foreign = await callOn(transport, bob, operation, target);
      expect([operation.id, foreign]).toMatchObject([operation.id, { ok: false, code: "not_found", faults: [] }]);
      expect(await callOn(transport, bob, operation, nowhere)).toEqual(foreign);
    }
    expect(bodyOf(await transport.getLatestResults(alice, target.externalId)).results).toEqual(results);
    expect(bodyOf(await transport.getGroup(alice, target.groupId)).state).toBe("open");
  },
  "a client's secret in place of a token is refused with the way to one": async ({ transport }) => {
    const outcome = await transport.createSession({ token: "pas_cs_of-somebody" }, {});
    expectRefused(outcome, "unauthenticated");
    expect(outcome).toMatchObject({ detail: expect.stringContaining("/oauth/token") });
  },
  "an open session of another partner accepts no answers": async (world) => {
    const { transport, bob, alice } = world;
    const { sessionId } = await newSession(world);
    expectRefused(await transport.recordAnswers(bob, sessionId, { answers: [answer(1001, 4)] }), "not_found");
    expectRefused(await transport.completeSession(bob, sessionId, { answers: [answer(1001, 4)] }), "not_found");
    expect(bodyOf(await transport.getSession(alice, sessionId)).status).toBe("in_progress");
  },
  "an id that is not a UUID, and an unknown product, are not found": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    expectRefused(await transport.getSession(alice, "not-a-uuid"), "not_found");
    expectRefused(await transport.getSession(alice, `{${sessionId}}`), "not_found");
    expectRefused(await transport.getSession({ ...alice, product: "other" }, sessionId), "not_found");
    expectRefused(
      await transport.recordAnswers({ ...alice, product: "other" }, sessionId, { answers: [answer(1001, 4)] }),
      "not_found",
    );
  },
  "only a client with the scope may act for another partner": async ({ app, transport, alice, bob }) => {
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
};
