// Cases of webhook endpoints: how partners make, change and remove them, over every transport.
import { expect } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { addCaller } from "../../support/app.ts";
import type { As, BodyOf, Transport } from "../../support/transports/transports.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { bodyOf, type Cases, completedSession, expectRefused, letExpire, newPartner, newSession } from "./case.ts";

const types = ["session.completed"];
const unknownId = "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e";
const urlOf = (name: string) => `http://127.0.0.1:9/${name}`;

async function create(
  transport: Transport,
  as: As,
  url = urlOf("hooks"),
  input: object = {},
): Promise<BodyOf<"createWebhookEndpoint">> {
  return bodyOf(await transport.createWebhookEndpoint(as, { url, types, ...input }));
}

export const webhookCases: Cases = {
  "an endpoint is created, read, listed, changed and removed": async (given) => {
    const { transport, as } = await newPartner(given);
    const { endpoint, secret } = await create(transport, as, urlOf("a b"), { description: "Éé 😀" });
    const { endpointId } = endpoint;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const made = {
      endpointId,
      url: urlOf("a%20b"),
      description: "Éé 😀",
      types,
      includeExternalId: false,
      includeNames: false,
    };
    const state = {
      status: "enabled",
      state: "healthy",
      backlog: 0,
      disabledReason: null,
      failures: 0,
      sequence: "0",
    };
    expect(endpoint).toMatchObject({ ...made, ...state });
    expect(bodyOf(await transport.getWebhookEndpoint(as, endpointId))).toEqual(endpoint);
    const listed = await transport.listWebhookEndpoints(as);
    expect(bodyOf(listed).endpoints).toEqual([endpoint]);
    const includes = { includeExternalId: true, includeNames: true };
    const change = { types: ["session.scored", "session.erased"], ...includes };
    const changed = bodyOf(await transport.updateWebhookEndpoint(as, endpointId, change));
    expect(changed).toMatchObject({ ...made, ...change });
    bodyOf(await transport.deleteWebhookEndpoint(as, endpointId));
    expectRefused(await transport.getWebhookEndpoint(as, endpointId), "not_found");
    expectRefused(await transport.deleteWebhookEndpoint(as, endpointId), "not_found");
  },
  "an endpoint is disabled and enabled, and says why it is disabled": async (given) => {
    const { transport, as } = await newPartner(given);
    const { endpointId } = (await create(transport, as)).endpoint;
    const update = async (enabled: boolean, input: object = {}) =>
      bodyOf(await transport.updateWebhookEndpoint(as, endpointId, { enabled, ...input }));
    expect(await update(false)).toMatchObject({ status: "disabled", disabledReason: "partner" });
    expect(await update(false)).toMatchObject({ status: "disabled", disabledReason: "partner" });
    expect(await update(true, { resume: "now" })).toMatchObject({ status: "enabled", disabledReason: null });
  },
  "a URL belongs to one endpoint of a partner, which the refusal names": async (given) => {
    const { transport, as } = await newPartner(given);
    const { endpoint: first } = await create(transport, as);
    const { endpoint: second } = await create(transport, as, urlOf("other"));
    const again = await transport.createWebhookEndpoint(as, { url: urlOf("hooks"), types });
    expectRefused(again, "endpoint_exists");
    const refused = await transport.updateWebhookEndpoint(as, second.endpointId, { url: urlOf("hooks") });
    expectRefused(refused, "endpoint_exists");
    for (const outcome of [again, refused]) expect(outcome).toMatchObject({ facts: { endpointId: first.endpointId } });
    await create(transport, (await newPartner(given)).as);
  },
  "a partner has 16 endpoints at most": async (given) => {
    const { transport, as } = await newPartner(given);
    for (let index = 0; index < 16; index += 1) await create(transport, as, urlOf(String(index)));
    const input = { url: urlOf("one-too-many"), types };
    expectRefused(await transport.createWebhookEndpoint(as, input), "limit_reached");
  },
  "URLs that lead to forbidden addresses are refused": async (given) => {
    const { transport, as } = await newPartner(given);
    const cases: [string, string][] = [
      ["", "invalid_format"],
      ["nonsense", "invalid_format"],
      ["ftp://partner.example/", "invalid_format"],
      [`https://partner.example/${"a".repeat(2048)}`, "too_long"],
      ["https://user:word@partner.example/", "has_credentials"],
      ["https://partner.example/#part", "invalid_format"],
      ["http://93.184.216.34/", "not_https"],
      ["https://93.184.216.34/", "is_address"],
      ["https://10.0.0.1/", "not_public"],
      ["https://0x0a000001/", "not_public"],
      ["https://169.254.169.254/latest/meta-data", "not_public"],
      ["https://[::1]/", "not_public"],
      ["https://[::ffff:10.0.0.1]/", "not_public"],
      ["https://[64:ff9b::10.0.0.1]/", "not_public"],
    ];
    for (const [url, code] of cases) {
      const outcome = await transport.createWebhookEndpoint(as, { url, types });
      expectRefused(outcome, "invalid_request", [{ pointer: "#/url", code }]);
    }
  },
  "an endpoint needs at least one type, and only known ones": async (given) => {
    const { transport, as } = await newPartner(given);
    const url = urlOf("hooks");
    const unknown = await transport.createWebhookEndpoint(as, { url, types: [...types, "webhook.test"] });
    expectRefused(unknown, "invalid_request", [{ pointer: "#/types/1", code: "unknown_type" }]);
    const none = await transport.createWebhookEndpoint(as, { url, types: [] });
    expectRefused(none, "invalid_request", [{ pointer: "#/types", code: "too_few_items" }]);
    const { endpointId } = (await create(transport, as)).endpoint;
    const change = await transport.updateWebhookEndpoint(as, endpointId, { types: [] });
    expectRefused(change, "invalid_request", [{ pointer: "#/types", code: "too_few_items" }]);
  },
  "an endpoint with an invalid id is not found": async (given) => {
    const { transport, as } = await newPartner(given);
    const eventIds = [`evt_${unknownId.replaceAll("-", "")}_created`];
    for (const [call, input] of [
      ["getWebhookEndpoint", {}],
      ["updateWebhookEndpoint", { enabled: false }],
      ["deleteWebhookEndpoint", {}],
      ["listParkedEvents", {}],
      ["redeliverEvents", { eventIds }],
      ["replayEvents", {}],
    ] as const) {
      expectRefused(await transport.call(as, call, { endpointId: "nonsense", ...input }), "not_found");
    }
  },
  "session.scored has the names of the results, in the language of the session, at endpoints that include them": async (
    given,
  ) => {
    const { world, app, transport, as } = await newPartner(given);
    const { url, received } = await startReceiver();
    const input = { types: ["session.completed", "session.scored"], includeNames: true };
    const { endpoint } = await create(transport, as, url, input);
    expect(endpoint).toMatchObject({ includeNames: true, includeExternalId: false });
    const { sessionId } = await completedSession(world, { locale: "de" });
    await expect.poll(() => received.length).toBe(2);
    const results = `${app.httpUrl}/v1/values-bridge/sessions/${sessionId}/results?include=names`;
    const response = await fetch(results, { headers: { authorization: `Bearer ${as.token}` } });
    const { names } = (await response.json()) as { readonly names: object };
    expect(names).toMatchObject({ language: "de", archetype: { name: expect.any(String) } });
    const feed = bodyOf(await transport.listEvents(as, { types: input.types })).events;
    const [completed, scored] = feed;
    expect(received.map(({ event }) => event)).toEqual([completed, { ...scored, data: { ...scored?.data, names } }]);
    const { endpointId } = endpoint;
    const sendAgain = async (includeNames: boolean, count: number) => {
      bodyOf(await transport.updateWebhookEndpoint(as, endpointId, { includeNames }));
      bodyOf(await transport.redeliverEvents(as, endpointId, { eventIds: [scored?.id ?? ""] }));
      await expect.poll(() => received.length).toBe(count);
      expect(received.at(-1)?.event).toEqual(scored);
    };
    await sendAgain(false, 3);
    const deleted = "UPDATE sessions SET results = '', results_deleted_at = NOW(3) WHERE id = ?";
    await app.database.connection.query(deleted, [uuidToBytes(sessionId)]);
    await sendAgain(true, 4);
  },
  "reading endpoints and changing them need scopes of their own, external ids and names of results one more": async (
    world,
  ) => {
    const { transport } = world;
    const reader = (await newPartner(world, "webhooks:read")).as;
    const writer = (await newPartner(world, "webhooks:write")).as;
    bodyOf(await transport.listWebhookEndpoints(reader));
    const input = { url: urlOf("hooks"), types };
    expectRefused(await transport.createWebhookEndpoint(reader, input), "permission_denied");
    expectRefused(await transport.listWebhookEndpoints(writer), "permission_denied");
    const named = { ...input, includeExternalId: true };
    expectRefused(await transport.createWebhookEndpoint(writer, named), "permission_denied");
    const { endpointId } = (await create(transport, writer)).endpoint;
    const change = { includeExternalId: true };
    expectRefused(await transport.updateWebhookEndpoint(writer, endpointId, change), "permission_denied");
    const ofSessions = (await newPartner(world, "webhooks:write", "sessions:read")).as;
    const withNames = { ...input, includeExternalId: true, includeNames: true };
    expectRefused(await transport.createWebhookEndpoint(ofSessions, withNames), "permission_denied");
    const ofResults = (await newPartner(world, "webhooks:write", "results:read")).as;
    expectRefused(await transport.createWebhookEndpoint(ofResults, withNames), "permission_denied");
    expect((await create(transport, ofResults, input.url, { includeNames: true })).endpoint.includeNames).toBe(true);
  },
  "a client without the scope to read sessions gets no external ids from an endpoint, and can disable it": async (
    world,
  ) => {
    const { app, transport } = world;
    const { partnerId, token } = await addCaller(app);
    const named = { token };
    const writer = { token: await app.tokenOf(await app.addClient(partnerId, ["webhooks:write"])) };
    const creation = await create(transport, named, urlOf("hooks"), { includeExternalId: true });
    const { endpointId } = creation.endpoint;
    const call = (as: As, name: string, input: object = {}) => transport.call(as, name, { endpointId, ...input });
    const steering: readonly (readonly [string, object])[] = [
      ["updateWebhookEndpoint", { url: urlOf("away") }],
      ["updateWebhookEndpoint", { types: ["session.created"] }],
      ["updateWebhookEndpoint", { enabled: true }],
      ["updateWebhookEndpoint", { includeExternalId: true }],
      ["updateWebhookEndpoint", { includeNames: true }],
      ["rotateWebhookSecret", {}],
      ["testWebhookEndpoint", {}],
      ["redeliverEvents", { eventIds: [`evt_${unknownId.replaceAll("-", "")}_created`] }],
      ["replayEvents", {}],
    ];
    for (const [name, input] of steering) {
      expectRefused(await call(writer, name, input), "permission_denied");
    }
    expect(bodyOf(await call(named, "getWebhookEndpoint"))).toEqual(creation.endpoint);
    const describing = { description: "Ours", enabled: false };
    expect(bodyOf(await call(writer, "updateWebhookEndpoint", describing))).toMatchObject({ status: "disabled" });
    expectRefused(await call(writer, "updateWebhookEndpoint", { enabled: true }), "permission_denied");
    bodyOf(await call(writer, "cancelReplay"));
    const nameless = { url: urlOf("away"), includeExternalId: false, enabled: true };
    expect(bodyOf(await call(writer, "updateWebhookEndpoint", nameless))).toMatchObject({
      url: nameless.url,
      includeExternalId: false,
      status: "enabled",
    });
    bodyOf(await call(named, "updateWebhookEndpoint", { includeExternalId: true }));
    bodyOf(await call(writer, "deleteWebhookEndpoint"));
  },
  "a test returns the endpoint's response, whether the endpoint is enabled or not": async (given) => {
    const { transport, as } = await newPartner(given);
    const receiver = await startReceiver(({ path }) => ({ status: path.endsWith("no") ? 500 : 200 }));
    const { endpointId } = (await create(transport, as, receiver.url)).endpoint;
    const test = () => transport.testWebhookEndpoint(as, endpointId);
    expect(bodyOf(await test())).toMatchObject({ outcome: "succeeded", status: 200 });
    expect(receiver.received.map(({ event }) => [event.type, event.data])).toEqual([["webhook.test", { endpointId }]]);
    bodyOf(await transport.updateWebhookEndpoint(as, endpointId, { url: `${receiver.url}/no`, enabled: false }));
    expect(bodyOf(await test())).toMatchObject({ outcome: "failed", status: 500 });
    receiver.stop();
    expect(bodyOf(await test())).toMatchObject({ outcome: "failed", error: "connect_failed" });
  },
  "a secret is replaced with an overlap of a week at most": async (given) => {
    const { transport, as } = await newPartner(given);
    const { endpoint, secret } = await create(transport, as);
    const { endpointId } = endpoint;
    const rotate = (input: object = {}) => transport.rotateWebhookSecret(as, endpointId, input);
    const rotated = bodyOf(await rotate({ overlapSeconds: 604_800 }));
    expect(rotated.secret).not.toBe(secret);
    expect(bodyOf(await rotate()).previousEndAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    for (const overlapSeconds of [-1, 604_801]) {
      const fault = { pointer: "#/overlapSeconds", code: "out_of_range" };
      expectRefused(await rotate({ overlapSeconds }), "invalid_request", [fault]);
    }
  },
  "each time that a session expires is delivered under an id of its own, and under the same one again": async (
    given,
  ) => {
    const { world, transport, as } = await newPartner(given);
    const receiver = await startReceiver();
    const { endpointId } = (await create(transport, as, receiver.url, { types: ["session.expired"] })).endpoint;
    const { sessionId } = await newSession(world);
    for (let times = 0; times < 2; times += 1) {
      await letExpire(world, sessionId);
      bodyOf(await transport.reopenSession(as, sessionId));
    }
    const first = `evt_${sessionId.replaceAll("-", "")}_expired`;
    const second = `${first}_2`;
    const received = () => receiver.received.map(({ event }) => event.id);
    await expect.poll(received).toEqual([first, second]);
    const redeliver = (...eventIds: string[]) => transport.redeliverEvents(as, endpointId, { eventIds });
    expect(bodyOf(await redeliver(second, `${first}_3`))).toEqual({ redelivered: 1 });
    await expect.poll(received).toEqual([first, second, second]);
    expect(bodyOf(await redeliver(first))).toEqual({ redelivered: 1 });
    await expect.poll(received).toEqual([first, second, second, first]);
    const faults = [{ pointer: "#/eventIds/0", code: "invalid_format" }];
    expectRefused(await redeliver(`${first}_1`), "invalid_request", faults);
  },
  "events are delivered once more by id, as far as they are kept and the endpoint receives them": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const receiver = await startReceiver();
    const { endpointId } = (await create(transport, as, receiver.url, { types: ["session.created"] })).endpoint;
    const { sessionId } = await newSession(world);
    await expect.poll(() => receiver.received.length).toBe(1);
    const id = `evt_${sessionId.replaceAll("-", "")}_created`;
    const redeliver = (eventIds: readonly string[]) =>
      transport.redeliverEvents(as, endpointId, { eventIds: [...eventIds] });
    const unkept = `evt_${unknownId.replaceAll("-", "")}_created`;
    expect(bodyOf(await redeliver([id, unkept]))).toEqual({ redelivered: 1 });
    await expect.poll(() => receiver.received.map(({ event }) => event.id)).toEqual([id, id]);
    bodyOf(await transport.updateWebhookEndpoint(as, endpointId, { types: ["session.started"] }));
    expect(bodyOf(await redeliver([id]))).toEqual({ redelivered: 0 });
    const faults = [{ pointer: "#/eventIds/0", code: "invalid_format" }];
    expectRefused(await redeliver(["evt_1"]), "invalid_request", faults);
    expectRefused(await redeliver([]), "invalid_request", [{ pointer: "#/eventIds", code: "too_few_items" }]);
    const many = Array.from({ length: 101 }, () => id);
    expectRefused(await redeliver(many), "invalid_request", [{ pointer: "#/eventIds", code: "too_many_items" }]);
  },
  "a range of the log is delivered once more to an enabled endpoint": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const receiver = await startReceiver();
    const { endpointId } = (await create(transport, as, receiver.url, { types: ["session.created"] })).endpoint;
    for (let index = 0; index < 3; index += 1) await newSession(world);
    const sequences = () => receiver.received.map(({ event }) => event.sequence);
    await expect.poll(sequences).toEqual(["1", "2", "3"]);
    const read = async () => bodyOf(await transport.getWebhookEndpoint(as, endpointId));
    const replayed = async () => (await read()).replay ?? null;
    await expect.poll(async () => (await read()).sequence).toBe("3");
    const replay = (input: object = {}) => transport.replayEvents(as, endpointId, input);
    bodyOf(await replay({ after: "1" }));
    await expect.poll(sequences).toEqual(["1", "2", "3", "2", "3"]);
    const ahead = [{ pointer: "#/until", code: "cursor_ahead" }];
    expectRefused(await replay({ until: "4" }), "invalid_request", ahead);
    expectRefused(await replay({ after: "x" }), "invalid_request", [{ pointer: "#/after", code: "invalid_format" }]);
    const turned = [{ pointer: "#/after", code: "out_of_range" }];
    expectRefused(await replay({ after: "2", until: "1" }), "invalid_request", turned);
    // A range may hold nothing.
    await expect.poll(replayed).toBeNull();
    bodyOf(await replay({ after: "2", until: "2" }));
    await expect.poll(replayed).toBeNull();
    expect(sequences()).toEqual(["1", "2", "3", "2", "3"]);
    const cancelled = bodyOf(await transport.cancelReplay(as, endpointId));
    expect(cancelled.replay ?? null).toBeNull();
    bodyOf(await transport.updateWebhookEndpoint(as, endpointId, { enabled: false }));
    expectRefused(await replay(), "endpoint_disabled");
    const eventIds = [receiver.received[0]?.event.id ?? ""];
    expectRefused(await transport.redeliverEvents(as, endpointId, { eventIds }), "endpoint_disabled");
  },
  "an endpoint has one replay at a time": async (given) => {
    const { world, transport, as } = await newPartner(given);
    let isAnswering = true;
    const receiver = await startReceiver(() => (isAnswering ? { status: 204 } : undefined));
    const { endpointId } = (await create(transport, as, receiver.url, { types: ["session.created"] })).endpoint;
    for (let index = 0; index < 2; index += 1) await newSession(world);
    const reached = async () => bodyOf(await transport.getWebhookEndpoint(as, endpointId)).sequence;
    await expect.poll(reached).toBe("2");
    isAnswering = false;
    bodyOf(await transport.replayEvents(as, endpointId));
    expectRefused(await transport.replayEvents(as, endpointId), "replay_running");
  },
  "attempts and parked events are listed, page by page": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const receiver = await startReceiver(({ event }) => ({ status: event.sequence === "1" ? 500 : 204 }));
    const input = { types: ["session.created", "session.erased"] };
    const { endpointId } = (await create(transport, as, receiver.url, input)).endpoint;
    const sessions = [await newSession(world), await newSession(world)];
    const list = async (query: object = {}) => {
      const outcome = await transport.listWebhookAttempts(as, endpointId, query);
      return bodyOf(outcome);
    };
    await expect.poll(async () => (await list()).attempts.length).toBe(2);
    const { sessionId } = sessions[0] ?? {};
    const id = `evt_${sessionId?.replaceAll("-", "")}_created`;
    const redelivery = { eventId: id, type: "session.created", sequence: "1", sessionId };
    const failed = { ...redelivery, attempt: 1, outcome: "failed", status: 500 };
    expect((await list({ outcome: "failed" })).attempts).toMatchObject([failed]);
    const first = await list({ limit: 1 });
    expect(first.attempts).toMatchObject([{ sequence: "2", outcome: "succeeded", status: 204 }]);
    expect((await list({ limit: 1, after: first.next })).attempts).toMatchObject([failed]);
    const parked = async (query: object = {}) => bodyOf(await transport.listParkedEvents(as, endpointId, query)).events;
    expect(await parked()).toMatchObject([{ eventId: id, sequence: "1", attempts: 1, state: "retrying" }]);
    expect(await parked({ state: "dead" })).toEqual([]);
  },
};
