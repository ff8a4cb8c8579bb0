// Cases of groups: who joins, what is told of them, and that their numbers are made once.
import { expect } from "vitest";
import { addCaller, addTwinCaller } from "../../support/app.ts";
import { memberAnswers } from "../../support/groups/members.ts";
import type { As, BodyOf } from "../../support/transports/transports.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import {
  answer,
  bodyOf,
  type Cases,
  expectRefused,
  newPartner,
  newSession,
  reportFormats,
  uniqueId,
  type World,
  withoutNulls,
} from "./case.ts";

const newGroup = async ({ transport, alice }: World, label = "Team") =>
  bodyOf(await transport.createGroup(alice, { label }));

const newPart = async ({ transport, alice }: World, parentId: string) =>
  bodyOf(await transport.createGroup(alice, { label: "Part", parentId }));

const numbersOf = async ({ transport, alice }: World, groupId: string) =>
  bodyOf(await transport.getGroupNumbers(alice, groupId));

const close = async ({ transport, alice }: World, groupId: string) =>
  bodyOf(await transport.closeGroup(alice, groupId));

/** A person who completes a session in the group. */
async function addMember(world: World, groupId: string, externalId: string, seed: number): Promise<string> {
  const session = await newSession(world, { subject: { externalId }, groupId });
  const answers = memberAnswers(session.assessment, seed);
  bodyOf(await world.transport.completeSession(world.alice, session.sessionId, { answers }));
  return session.sessionId;
}

const people = (count: number) => Array.from({ length: count }, (_, index) => `member-${index}`);

/** A group that the people have completed sessions in. */
async function groupOf(world: World, externalIds: readonly string[], seed = 1): Promise<BodyOf<"getGroup">> {
  const group = await newGroup(world);
  for (const [index, externalId] of externalIds.entries()) {
    await addMember(world, group.groupId, externalId, seed + index);
  }
  return group;
}

export const groupCases: Cases = {
  "a group has its members, and counts people as they join, answer and complete": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const closesAt = "2099-01-01T00:00:00.000Z";
    const far = new Date(Date.now() + 365 * 86_400_000).toISOString();
    expectRefused(await transport.createGroup(alice, { label: "Team", closesAt }), "invalid_request", [
      { pointer: "#/closesAt", code: "out_of_range" },
    ]);
    const group = bodyOf(await transport.createGroup(alice, { label: "Team Süd", closesAt: far }));
    const { groupId } = group;
    expect(group).toEqual({
      groupId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      product: "values-bridge",
      label: "Team Süd",
      parentId: null,
      form: "long",
      joinCode: null,
      state: "open",
      assessmentVersion: expect.any(Number),
      createdAt: expect.any(String),
      closesAt: far,
      closedAt: null,
      size: 0,
      started: 0,
      completed: 0,
    });
    const [ada, eve] = [uniqueId("ada"), uniqueId("eve")];
    const session = await newSession(world, { subject: { externalId: ada }, groupId });
    expect(bodyOf(await transport.getSession(alice, session.sessionId)).groupId).toBe(groupId);
    await newSession(world, { subject: { externalId: ada }, groupId });
    const other = await newSession(world, { subject: { externalId: eve }, groupId });
    bodyOf(
      await transport.recordAnswers(alice, other.sessionId, {
        answers: memberAnswers(other.assessment, 1).slice(0, 3),
      }),
    );
    await addMember(world, groupId, ada, 2);
    const now = bodyOf(await transport.getGroup(alice, groupId.toUpperCase()));
    expect(now).toEqual({ ...group, size: 2, started: 2, completed: 1 });
    bodyOf(await transport.eraseSubject(alice, eve));
    expect(bodyOf(await transport.getGroup(alice, groupId)).size).toBe(1);
  },
  "the numbers of five people are computed when the group closes, and stay though they answer again": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await groupOf(world, people(5));
    const running = await newSession(world, { subject: { externalId: "member-0" }, groupId });
    expect(await numbersOf(world, groupId)).toMatchObject({ numbers: null, reason: "open", closedAt: null });
    const closed = await close(world, groupId);
    expect(closed).toMatchObject({ state: "closed", size: 5, completed: 5, closedAt: expect.any(String) });
    const numbers = await numbersOf(world, groupId);
    expect(numbers).toMatchObject({ groupId, closedAt: closed.closedAt, reason: null, numbers: { members: 5 } });
    const { questions } = running.assessment;
    const valueIds = [...new Set(questions.map((each) => each.valuesBridgeConfig?.valueId ?? 0))].toSorted(
      (a, b) => a - b,
    );
    expect(numbers.numbers?.values.map(({ valueId }) => valueId)).toEqual(valueIds);
    const [value] = numbers.numbers?.values ?? [];
    expect(Object.keys(value?.ideal ?? {}).toSorted()).toEqual(["interval", "mean", "rwg", "sd"]);
    const again = memberAnswers(running.assessment, 99);
    bodyOf(await transport.completeSession(alice, running.sessionId, { answers: again }));
    expect(await close(world, groupId)).toEqual({ ...closed, completed: 5 });
    expect(await numbersOf(world, groupId)).toEqual(numbers);
  },
  "fewer than five people who count have no numbers: random answers and open sessions do not count": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await groupOf(world, people(4));
    await newSession(world, { subject: { externalId: "member-5" }, groupId });
    const careless = await newSession(world, { subject: { externalId: "member-6" }, groupId });
    const alike = careless.assessment.questions.map(({ id }) => answer(id, 4));
    bodyOf(await transport.completeSession(alice, careless.sessionId, { answers: alike }));
    // Twice the same person is one.
    await addMember(world, groupId, "member-0", 50);
    expect(await close(world, groupId)).toMatchObject({ size: 6, started: 5, completed: 5 });
    expect(await numbersOf(world, groupId)).toMatchObject({ numbers: null, reason: "too_few" });
  },
  "a group of groups counts each person of its parts once, and closes them with it": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const department = await newGroup(world, "Department");
    const { groupId: parentId } = department;
    const [north, south] = [await newPart(world, parentId), await newPart(world, parentId)];
    expect(north).toMatchObject({ parentId, assessmentVersion: department.assessmentVersion });
    for (let index = 0; index < 5; index += 1) {
      await addMember(world, north.groupId, `north-${index}`, index + 1);
      await addMember(world, south.groupId, `south-${index}`, index + 21);
    }
    expect(bodyOf(await transport.getGroup(alice, parentId))).toMatchObject({
      parentId: null,
      size: 10,
      completed: 10,
    });
    const { groups } = bodyOf(await transport.listGroups(alice));
    expect(groups.map(({ size }) => size)).toEqual([5, 5, 10]);
    await close(world, parentId);
    expect(await numbersOf(world, north.groupId)).toMatchObject({ numbers: { members: 5 }, reason: null });
    expect(await numbersOf(world, parentId)).toMatchObject({ numbers: { members: 10 }, reason: null });
    expectRefused(await transport.createGroup(alice, { label: "Late", parentId }), "group_closed");
    bodyOf(await transport.eraseSubject(alice, "north-0"));
    expect(bodyOf(await transport.getGroup(alice, parentId)).size).toBe(9);
    expect(await numbersOf(world, north.groupId)).toMatchObject({ numbers: null, reason: "withdrawn" });
  },
  "a part names a group of the partner that is not itself a part": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const part = await newPart(world, (await newGroup(world)).groupId);
    const others = await newGroup((await newPartner(given)).world);
    const faults = [{ pointer: "#/parentId", code: "unknown_group" }];
    for (const parentId of [part.groupId, others.groupId, crypto.randomUUID(), "group"]) {
      expectRefused(await transport.createGroup(alice, { label: "x", parentId }), "invalid_request", faults);
    }
  },
  "an anonymous session cannot join a group, whose people could then not be counted": async (given) => {
    const world = (await newPartner(given)).world;
    const { groupId } = await newGroup(world);
    const faults = [{ pointer: "#/subject/externalId", code: "required" }];
    for (const subject of [undefined, {}]) {
      const input = { groupId, ...(subject && { subject }) };
      expectRefused(await world.transport.createSession(world.alice, input), "invalid_request", faults);
    }
    expect((await close(world, groupId)).size).toBe(0);
  },
  "a group that is unknown, or another partner's, cannot be joined": async (given) => {
    const { groupId } = await newGroup((await newPartner(given)).world);
    const subject = { externalId: uniqueId("person") };
    const faults = [{ pointer: "#/groupId", code: "unknown_group" }];
    for (const named of [groupId, crypto.randomUUID(), "group"]) {
      const outcome = await given.transport.createSession(given.alice, { subject, groupId: named });
      expectRefused(outcome, "invalid_request", faults);
    }
  },
  "a closed group accepts no session, and a repeated request gets the earlier response": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world);
    const input = { subject: { externalId: "person" }, groupId };
    const as = { ...alice, idempotencyKey: uniqueId("key") };
    const first = bodyOf(await transport.createSession(as, input));
    await close(world, groupId);
    expectRefused(await transport.createSession(alice, input), "group_closed");
    expectRefused(await transport.createSession({ ...alice, idempotencyKey: uniqueId("key") }, input), "group_closed");
    const again = await transport.createSession(as, input);
    expect([bodyOf(again).sessionId, again.replayed]).toEqual([first.sessionId, true]);
  },
  "the same idempotency key creates one group, and is refused with another request": async (given) => {
    const { world, transport } = await newPartner(given);
    const as: As = { ...world.alice, idempotencyKey: uniqueId("key") };
    const first = await transport.createGroup(as, { label: "Team" });
    const again = await transport.createGroup(as, { label: "Team" });
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(bodyOf(again)).toEqual(bodyOf(first));
    expectRefused(await transport.createGroup(as, { label: "Other" }), "idempotency_key_reused");
    const many = Array.from({ length: 5 }, () =>
      transport.createGroup({ ...as, idempotencyKey: "many" }, { label: "M" }),
    );
    const groupIds = (await Promise.all(many)).map((each) => bodyOf(each).groupId);
    expect(new Set(groupIds).size).toBe(1);
  },
  "groups are listed newest first, page by page": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const groupIds: string[] = [];
    for (let count = 0; count < 3; count += 1) groupIds.unshift((await newGroup(world, `Team ${count}`)).groupId);
    const page = async (input: { limit?: number; after?: string }) => bodyOf(await transport.listGroups(alice, input));
    expect((await page({})).groups.map(({ groupId }) => groupId)).toEqual(groupIds);
    const first = await page({ limit: 2 });
    expect(first.groups.map(({ label }) => label)).toEqual(["Team 2", "Team 1"]);
    const second = await page({ limit: 2, after: first.next ?? "" });
    expect([second.groups.map(({ groupId }) => groupId), second.next]).toEqual([groupIds.slice(2), null]);
    // A page that holds them all is the last one.
    expect((await page({ limit: groupIds.length })).next).toBeNull();
    const faults = [{ pointer: "#", code: "invalid_format" }];
    expectRefused(await transport.listGroups(alice, { after: "nowhere" }), "invalid_request", faults);
  },
  "lists and exports give the sessions of one group, and the export of a person names it": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await groupOf(world, people(5));
    await newSession(world, { subject: { externalId: "member-0" } });
    const listed = bodyOf(await transport.listSessions(alice, { groupId })).sessions;
    expect(listed.map((each) => each.groupId)).toEqual(Array.from({ length: 5 }, () => groupId));
    const ofOne = bodyOf(await transport.listSessions(alice, { groupId, externalId: "member-3" })).sessions;
    expect(ofOne.map(({ subject }) => subject.externalId)).toEqual(["member-3"]);
    const { sessions, atEnd } = bodyOf(await transport.exportSessions(alice, { groupId: groupId.toUpperCase() }));
    expect([sessions.map(({ externalId }) => externalId), atEnd]).toEqual([people(5), true]);
    expect(sessions[0]?.groupId).toBe(groupId);
    expect(bodyOf(await transport.exportSessions(alice, { groupId: crypto.randomUUID() })).sessions).toEqual([]);
    const faults = [{ pointer: "#", code: "invalid_format" }];
    expectRefused(await transport.listSessions(alice, { groupId: "group" }), "invalid_request", faults);
    expectRefused(await transport.exportSessions(alice, { groupId: "group" }), "invalid_request", faults);
    const groupsOf = async () =>
      bodyOf(await transport.exportSubject(alice, "member-0")).sessions.map(({ group }) => group);
    expect(await groupsOf()).toEqual([{ groupId, label: "Team", closedAt: null, counted: false }, null]);
    const { closedAt } = await close(world, groupId);
    expect(await groupsOf()).toEqual([{ groupId, label: "Team", closedAt, counted: true }, null]);
  },
  "a closed group has a report in every format, in English and German, that names its label and no person": async (
    given,
  ) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId, label } = await groupOf(world, people(5));
    const { closedAt } = await close(world, groupId);
    for (const [format, mediaType, start] of reportFormats) {
      const query = { format, locale: "de-AT" };
      const { body, ...about } = bodyOf(await transport.renderTeamReport(alice, groupId, query));
      expect(about).toMatchObject({ mediaType, language: "de", notModified: false });
      expect(about.entityTag).toMatch(/^"[\w-]{24}"$/);
      expect(about.fileName).toBe(`team-${groupId.slice(0, 8)}.${format}`);
      expect(body.toString("latin1")).toMatch(start);
      expect(body.includes("member-")).toBe(false);
      const cachedQuery = { ...query, knownEntityTag: about.entityTag };
      const again = bodyOf(await transport.renderTeamReport(alice, groupId, cachedQuery));
      expect(again).toMatchObject({ notModified: true, entityTag: about.entityTag, body: Buffer.alloc(0) });
    }
    const model = bodyOf(await transport.getTeamReport(alice, groupId));
    expect(model).toMatchObject({ groupId, closedAt, label, language: "en" });
    expect(model.introduction).toMatch(/^5 people /);
    expect(model.sections.map(({ topic }) => topic).slice(0, 4)).toEqual(["wanted", "gaps", "close", "apart"]);
    const { body } = bodyOf(await transport.renderTeamReport(alice, groupId));
    expect(withoutNulls(JSON.parse(body.toString()))).toEqual(withoutNulls(model));
    const letter = { format: "pdf", paper: "letter" };
    const pdf = bodyOf(await transport.renderTeamReport(alice, groupId, letter)).body.toString("latin1");
    expect(pdf.match(/\/MediaBox \[0 0 612 792\]/g)).toHaveLength(2);
    const { records } = bodyOf(await transport.listAuditRecords(alice, {}));
    expect(records[0]).toMatchObject({ action: "group.read_report", outcome: "ok", targetId: groupId });
  },
  "a group without numbers has no report, and the refusal says why": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const expectRefusal = async (id: string, withheld: string) => {
      const outcomes = [
        await transport.getTeamReport(alice, id),
        await transport.renderTeamReport(alice, id, { format: "pdf" }),
        await transport.renderTeamReport(alice, id, { knownEntityTag: "*" }),
      ];
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ ok: false, code: "numbers_withheld", facts: { withheld } });
      }
    };
    const few = await newGroup(world);
    await expectRefusal(few.groupId, "open");
    await close(world, few.groupId);
    await expectRefusal(few.groupId, "too_few");
    const { groupId } = await groupOf(world, people(5));
    await close(world, groupId);
    const alike = await groupOf(world, people(6));
    await close(world, alike.groupId);
    await expectRefusal(alike.groupId, "disclosive");
    bodyOf(await transport.getTeamReport(alice, groupId));
    bodyOf(await transport.eraseSubject(alice, "member-0"));
    await expectRefusal(groupId, "withdrawn");
  },
  "a group with an invalid id, and groups of another product, are not found": async (given) => {
    const { groupId } = await newGroup(given);
    const { transport, alice } = given;
    for (const call of ["getGroup", "closeGroup", "getGroupNumbers"] as const) {
      expectRefused(await transport[call](alice, "group"), "not_found");
      expectRefused(await transport[call]({ ...alice, product: "other" }, groupId), "not_found");
    }
    expectRefused(await transport.getTeamReport(alice, "group"), "not_found");
    expectRefused(await transport.createGroup({ ...alice, product: "other" }, { label: "x" }), "not_found");
  },
  "closing a group is an event, and reaches a receiver once": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const types = ["group.closed"];
    const { url, received } = await startReceiver();
    bodyOf(await transport.createWebhookEndpoint(alice, { url, types }));
    const { groupId } = await newGroup(world);
    const { closedAt } = await close(world, groupId);
    await close(world, groupId);
    const { events, next } = bodyOf(await transport.listEvents(alice, { types, wait: 20 }));
    expect(events).toMatchObject([{ type: "group.closed", timestamp: closedAt, data: { groupId } }]);
    expect(bodyOf(await transport.listEvents(alice, { types, after: next })).events).toEqual([]);
    await expect.poll(() => received.map(({ event }) => event)).toEqual(events);
  },
  "creating and closing a group, and reading its numbers, are in the audit log": async (given) => {
    const world = (await newPartner(given)).world;
    const { groupId } = await newGroup(world);
    await close(world, groupId);
    await numbersOf(world, groupId);
    const { records } = bodyOf(await world.transport.listAuditRecords(world.alice, {}));
    expect(records.map(({ action, outcome, targetId }) => [action, outcome, targetId]).toReversed()).toEqual([
      ["group.create", "begun", null],
      ["group.create", "ok", groupId],
      ["group.close", "begun", groupId],
      ["group.close", "ok", groupId],
      ["group.read_numbers", "ok", groupId],
    ]);
  },
  "groups of a test twin close by its clock, and its people are counted with no others": async (given) => {
    const { partnerId, token } = await addCaller(given.app);
    const twin = { ...given, alice: { token: (await addTwinCaller(given.app, partnerId)).token } };
    const { transport } = given;
    const { groupId } = await groupOf(twin, people(5));
    await close(twin, groupId);
    expect((await numbersOf(twin, groupId)).numbers?.members).toBe(5);
    expectRefused(await transport.getGroup({ token }, groupId), "not_found");
    const soon = new Date(Date.now() + 60_000).toISOString();
    const due = bodyOf(await transport.createGroup(twin.alice, { label: "Due", closesAt: soon }));
    bodyOf(await transport.setTestClock(twin.alice, { now: new Date(Date.now() + 3_600_000).toISOString() }));
    const late = { subject: { externalId: "late" }, groupId: due.groupId };
    expectRefused(await transport.createSession(twin.alice, late), "group_closed");
    expect((await close(twin, due.groupId)).closedAt).toBe(soon);
  },
};
