// Cases of join codes: people join a group themselves, within the number and the time that its partner sets.
import { expect } from "vitest";
import { catalogues } from "../../../src/pages/catalogue/language.ts";
import { addTwinCaller } from "../../support/app.ts";
import { Visitor } from "../../support/browser/visitor.ts";
import { memberAnswers } from "../../support/groups/members.ts";
import { readQrCode } from "../../support/reports/pixels.ts";
import type { BodyOf } from "../../support/transports/transports.ts";
import { bodyOf, type Cases, expectRefused, newPartner, type World } from "./case.ts";

type JoinCodeBody = BodyOf<"createJoinCode">;

const redirectUrl = "https://partner.example/done";
const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

const newGroup = async ({ transport, alice }: World, input: object = {}) =>
  bodyOf(await transport.createGroup(alice, { label: "Team", ...input }));
const groupNow = async ({ transport, alice }: World, groupId: string) =>
  bodyOf(await transport.getGroup(alice, groupId));
const createCode = ({ transport, alice }: World, groupId: string, input: object = {}) =>
  transport.createJoinCode(alice, groupId, { maxSessions: 30, redirectUrl, ...input });
const newCode = async (world: World, groupId: string, input: object = {}) =>
  bodyOf(await createCode(world, groupId, input));
const revoke = async ({ transport, alice }: World, groupId: string) =>
  bodyOf(await transport.revokeJoinCode(alice, groupId));

const browserAt = ({ url }: JoinCodeBody) => new Visitor(new URL(url).origin);

/** Presses the button of the page. @returns the path of the session's start page */
async function join(code: JoinCodeBody, browser = browserAt(code)): Promise<string> {
  const { pathname } = new URL(code.url);
  const { status, headers } = await browser.submit(pathname, {});
  expect(status).toBe(303);
  return browser.open(browser.origin + headers.get("location"));
}

const sessionOf = (start: string) => start.split("/").at(-1) ?? "";

/** Expects the page that says that nobody can join, in the language of the browser. */
async function expectOver(code: JoinCodeBody, browser = browserAt(code)): Promise<void> {
  for (const { language, texts } of catalogues) {
    const { status, text } = await browser.get(new URL(code.url).pathname, { "accept-language": language });
    expect([status, text]).toEqual([410, expect.stringContaining(`<h1>${texts.endedJoinTitle}</h1>`)]);
    expect(text).toContain(`<html lang="${language}"`);
    expect(text).not.toContain("<form");
  }
}

export const joinCodeCases: Cases = {
  "a join code is a code to type, its address and a QR code of that, and its group shows it without the secret": async (
    given,
  ) => {
    const { world } = await newPartner(given);
    const group = await newGroup(world);
    expect(group.joinCode).toBeNull();
    const expiresAt = inHours(5);
    const code = await newCode(world, group.groupId, { maxSessions: 7, expiresAt });
    expect(code).toMatchObject({ maxSessions: 7, expiresAt });
    expect(code.code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(code.url).toMatch(/^http/);
    expect(new URL(code.url).pathname).toBe(`/join/${code.code}`);
    expect(readQrCode(code.qrSvg)).toBe(code.url);
    await join(code);
    const shown = await groupNow(world, group.groupId);
    expect(shown).toMatchObject({ size: 1, joinCode: { maxSessions: 7, joinedSessions: 1, expiresAt } });
    expect(JSON.stringify(shown)).not.toContain(code.code);
  },
  "without a time a join code ends after seven days, or when its group closes": async (given) => {
    const { world } = await newPartner(given);
    const open = await newCode(world, (await newGroup(world)).groupId);
    expect(Math.abs(Date.parse(open.expiresAt) - Date.now() - 7 * 24 * hourMs)).toBeLessThan(hourMs);
    const closesAt = inHours(2);
    expect((await newCode(world, (await newGroup(world, { closesAt })).groupId)).expiresAt).toBe(closesAt);
  },
  "a join code needs a number, a time before its group closes, and a place to go to afterwards": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world, { closesAt: inHours(10) });
    const faulty: [object, string, string][] = [
      [{ maxSessions: 0 }, "#/maxSessions", "out_of_range"],
      [{ maxSessions: 1001 }, "#/maxSessions", "out_of_range"],
      [{ expiresAt: inHours(11) }, "#/expiresAt", "out_of_range"],
      [{ expiresAt: inHours(-1) }, "#/expiresAt", "out_of_range"],
      [{ redirectUrl: "javascript:alert(1)" }, "#/redirectUrl", "invalid_format"],
    ];
    for (const [input, pointer, code] of faulty) {
      expectRefused(await createCode(world, groupId, input), "invalid_request", [{ pointer, code }]);
    }
    const long = (await newGroup(world)).groupId;
    const faults = [{ pointer: "#/expiresAt", code: "out_of_range" }];
    expectRefused(await createCode(world, long, { expiresAt: inHours(91 * 24) }), "invalid_request", faults);
    bodyOf(await transport.closeGroup(alice, groupId));
    expectRefused(await createCode(world, groupId), "group_closed");
    for (const id of [crypto.randomUUID(), "group"]) {
      expectRefused(await createCode(world, id), "not_found");
      expectRefused(await transport.revokeJoinCode(alice, id), "not_found");
    }
    const other = (await newPartner(given)).world;
    expectRefused(await createCode(other, long), "not_found");
    expectRefused(await other.transport.revokeJoinCode(other.alice, long), "not_found");
  },
  "opening the page, also twice and by HEAD, makes no session; its button makes one in the group, in the form of the group":
    async (given) => {
      const { world, transport, alice } = await newPartner(given);
      const { groupId } = await newGroup(world, { form: "short" });
      const code = await newCode(world, groupId, { personAccess: "after_completion" });
      const browser = browserAt(code);
      const { pathname } = new URL(code.url);
      const typed = `/join/${code.code.toLowerCase().replaceAll("-", "").replaceAll("0", "o").replaceAll("1", "l")}.`;
      for (const path of [pathname, typed, `${pathname}/`]) expect((await browser.get(path)).status).toBe(200);
      expect((await browser.head(pathname)).status).toBe(200);
      expect((await groupNow(world, groupId)).size).toBe(0);
      const start = await join(code, browser);
      expect((await browser.get(start)).status).toBe(200);
      const { sessions } = bodyOf(await transport.listSessions(alice, { groupId }));
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([sessionOf(start)]);
      expect(sessions[0]).toMatchObject({ mode: "hosted", form: "short", groupId, subject: { anonymous: true } });
      expect((await browser.post(typed, { csrfToken: "x" })).status).toBe(403);
      expect((await new Visitor(browser.origin).post(pathname, { csrfToken: "x" })).status).toBe(403);
      expect((await groupNow(world, groupId)).size).toBe(1);
    },
  "one browser has one session by a code, pressed twice at once, again, and after the code is over; another browser has its own":
    async (given) => {
      const { world } = await newPartner(given);
      const { groupId } = await newGroup(world);
      const code = await newCode(world, groupId, { maxSessions: 2 });
      const [one, other] = [browserAt(code), browserAt(code)];
      const { pathname } = new URL(code.url);
      await one.get(pathname);
      const starts = await Promise.all([join(code, one), join(code, one)]);
      const others = await join(code, other);
      expect(new Set(starts).size).toBe(1);
      expect(others).not.toBe(starts[0]);
      await revoke(world, groupId);
      expect((await one.get(pathname)).text).toContain(catalogues[0].texts.welcomeBack);
      expect(await join(code, one)).toBe(starts[0]);
      expect(await groupNow(world, groupId)).toMatchObject({ size: 2, joinCode: { joinedSessions: 2 } });
      await expectOver(code);
    },
  "a browser gets no way into a session that it has finished: somebody else may have it by then": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world);
    const code = await newCode(world, groupId, { maxSessions: 2, personAccess: "after_completion" });
    const browser = browserAt(code);
    const { pathname } = new URL(code.url);
    const sessionId = sessionOf(await join(code, browser));
    const csrfToken = await browser.csrfToken(pathname);
    const assessment = bodyOf(await transport.getPublishedAssessment(alice));
    bodyOf(await transport.completeSession(alice, sessionId, { answers: memberAnswers(assessment, 1) }));
    expect((await browser.post(pathname, { csrfToken })).status).toBe(410);
    expect((await browser.get(pathname)).text).toContain(catalogues[0].texts.endedJoinTitle);
    await join(code);
  },
  "nobody joins above the number of a code, however many press at once": async (given) => {
    const { world } = await newPartner(given);
    const { groupId } = await newGroup(world);
    const code = await newCode(world, groupId, { maxSessions: 3 });
    const { pathname } = new URL(code.url);
    const browsers = Array.from({ length: 6 }, () => browserAt(code));
    const tokens = await Promise.all(browsers.map((each) => each.csrfToken(pathname)));
    const presses = browsers.map((each, index) => each.post(pathname, { csrfToken: tokens[index] ?? "" }));
    const statuses = (await Promise.all(presses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 303, 303, 410, 410, 410]);
    expect(await groupNow(world, groupId)).toMatchObject({ size: 3, joinCode: { joinedSessions: 3 } });
    await expectOver(code);
  },
  "people who joined count in the numbers of their group as others do": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world);
    const code = await newCode(world, groupId);
    const assessment = bodyOf(await transport.getPublishedAssessment(alice));
    for (let seed = 1; seed <= 5; seed += 1) {
      const sessionId = sessionOf(await join(code));
      bodyOf(await transport.completeSession(alice, sessionId, { answers: memberAnswers(assessment, seed) }));
    }
    const closed = bodyOf(await transport.closeGroup(alice, groupId));
    expect(closed).toMatchObject({ size: 5, completed: 5 });
    const { numbers } = bodyOf(await transport.getGroupNumbers(alice, groupId));
    expect(numbers?.members).toBe(5);
    const [joined] = bodyOf(await transport.listSessions(alice, { groupId })).sessions;
    bodyOf(await transport.eraseSubject(alice, joined?.subject.externalId ?? ""));
    expect(await groupNow(world, groupId)).toMatchObject({ size: 4, joinCode: { joinedSessions: 5 } });
  },
  "a code that is over by its group has the partner's look; one that is replaced or mistyped is unknown": async (
    given,
  ) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world);
    const first = await newCode(world, groupId, { maxSessions: 1 });
    await join(first);
    const second = await newCode(world, groupId);
    for (const path of [new URL(first.url).pathname, "/join/0000-0000-0000", "/join/hello", "/join/%ff"]) {
      expect([path, (await browserAt(first).get(path)).status]).toEqual([path, 404]);
    }
    await join(second);
    expect(await groupNow(world, groupId)).toMatchObject({ size: 2, joinCode: { joinedSessions: 1 } });
    bodyOf(await transport.closeGroup(alice, groupId));
    await expectOver(second);
  },
  "a code of a test twin ends by its clock": async (given) => {
    const { partnerId } = await newPartner(given);
    const twin = { ...given, alice: { token: (await addTwinCaller(given.app, partnerId)).token } };
    const code = await newCode(twin, (await newGroup(twin)).groupId, { expiresAt: inHours(1) });
    await join(code);
    bodyOf(await given.transport.setTestClock(twin.alice, { now: inHours(2) }));
    await expectOver(code);
  },
  "join codes are for clients that may create sessions, and are in the audit log": async (given) => {
    const { world, transport, alice } = await newPartner(given);
    const { groupId } = await newGroup(world);
    await newCode(world, groupId);
    for (const _ of [1, 2]) await revoke(world, groupId);
    const { records } = bodyOf(await transport.listAuditRecords(alice, {}));
    const actions = records.filter(({ action }) => action.startsWith("join_code"));
    expect(actions.map(({ action, outcome, targetId }) => [action, outcome, targetId]).toReversed()).toEqual(
      ["create", "revoke", "revoke"].flatMap((each) => [
        [`join_code.${each}`, "begun", groupId],
        [`join_code.${each}`, "ok", groupId],
      ]),
    );
    const reader = (await newPartner(given, "groups:read", "groups:write")).world;
    expectRefused(await createCode(reader, groupId), "permission_denied");
    expectRefused(await transport.revokeJoinCode(reader.alice, groupId), "permission_denied");
  },
};
