// The other statements, offered on the last page of a short session: where the partner wants that, and once for each session, from
// one process as through a gateway of its own.
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { HostedService } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { gatewayOfFile } from "../support/of-file.ts";
import { bearer, refusal } from "../support/transports/grpc-client.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { peopleOfFile } from "./service-with-people.ts";

const { app, partner, client } = await peopleOfFile();
const [gateway, silent] = await Promise.all([gatewayOfFile(app), addHostedPartner(app)]);
await partner.brand({ offerLongForm: true });

const transport = restTransport(app.httpUrl);
const as = { token: partner.token };

const sessionsOf = async (externalId: string, token = partner.token) =>
  bodyOf(await transport.listSessions({ token }, { externalId })).sessions;

const answersIn = async (form: string) => {
  const { questions } = bodyOf(await transport.getPublishedAssessment(as, { form }));
  return new Map(questions.map(({ id }): [number, number] => [id, 1 + (id % 7)]));
};
const answers = { short: await answersIn("short"), long: await answersIn("long") };

interface Start {
  readonly origin?: string;
  readonly of?: typeof partner;
  readonly form?: keyof typeof answers;
  /** Statements that get no answer. */
  readonly left?: number;
  readonly changes?: object;
}

/** Somebody who has answered all but some statements. */
async function started({ origin = app.httpUrl, of = partner, form = "short", left = 0, changes = {} }: Start = {}) {
  const externalId = `person-${crypto.randomUUID()}`;
  const { sessionId, hostedUrl } = await of.createHosted({ form, subject: { externalId }, ...changes });
  const visitor = new Visitor(origin);
  const page = await visitor.open(hostedUrl);
  const items = [...answers[form]].slice(left).map(([questionId, value]) => answer(questionId, value));
  bodyOf(await transport.recordAnswers({ token: of.token }, sessionId, { answers: items }));
  const press = () => visitor.submit(page, {}, `${page}/further`);
  return { sessionId, externalId, visitor, page, press, complete: () => of.complete(sessionId, new Map()) };
}

/** Somebody at the end of a session. */
async function atTheEnd(start?: Start) {
  const person = await started(start);
  await person.complete();
  return person;
}

const newGroup = async (form: string) => bodyOf(await transport.createGroup(as, { label: "Team", form })).groupId;

describe.each([
  ["one process", app.httpUrl],
  ["a gateway of its own", gateway.httpUrl],
])("from %s", (_way, origin) => {
  test("pressed twice at once, again in another language, without the report and after its end, it leads to the same session", async () => {
    const changes = { personAccess: "after_completion" };
    const { sessionId, externalId, visitor, page, press } = await atTheEnd({ origin, changes });
    const starts: string[] = [];
    const follow = async ({ headers }: { readonly headers: Headers }) =>
      starts.push(await visitor.open(origin + headers.get("location")));
    for (const pressed of await Promise.all([press(), press()])) await follow(pressed);
    await visitor.get(`${page}?language=fr`);
    await follow(await press());
    await partner.revokeReports(sessionId);
    await follow(await press());
    const [long, short, ...others] = await sessionsOf(externalId);
    expect([short?.sessionId, long?.continues, others]).toEqual([sessionId, sessionId, []]);
    await partner.complete(long?.sessionId ?? "", answers.long);
    await follow(await press());
    expect(new Set(starts)).toEqual(new Set([page.replace(sessionId, long?.sessionId ?? "")]));
    expect((await visitor.get(starts[0] ?? "")).text).toContain("All done. Thank you!");
  });

  test("no idempotency key of the partner takes the place of the person's session", async () => {
    const { sessionId, press, externalId } = await atTheEnd({ origin });
    bodyOf(await transport.createSession({ ...as, idempotencyKey: `continue.${sessionId}` }));
    expect((await press()).status).toBe(303);
    expect((await sessionsOf(externalId))[0]?.continues).toBe(sessionId);
  });

  test("the person who chose another language on the pages goes on in it", async () => {
    const { visitor, page, press } = await atTheEnd({ origin, changes: { locale: "de" } });
    await visitor.get(`${page}?language=it`);
    const start = await visitor.open(origin + (await press()).headers.get("location"));
    expect((await visitor.get(start)).text).toContain('<html lang="it"');
  });

  test.each<[string, () => Promise<Start>]>([
    ["of a partner who does not want it", async () => ({ of: silent })],
    ["of the long form", async () => ({ form: "long" })],
    ["in a group", async () => ({ changes: { groupId: await newGroup("short") } })],
  ])("a session %s ends at the partner, and its last page has no button", async (_what, prepare) => {
    const start = await prepare();
    const { visitor, page, externalId } = await started({ origin, ...start });
    const { returnUrl, token } = start.of ?? partner;
    const csrfToken = await visitor.csrfToken(`${page}/review`);
    expect((await visitor.get(`${page}/review`)).text).toContain("and you return to");
    const finished = await visitor.submit(`${page}/review`, {}, `${page}/finish`);
    expect(finished.headers.get("location")).toContain(returnUrl);
    expect((await visitor.get(page)).text).not.toContain("<form");
    expect((await visitor.post(`${page}/further`, { csrfToken })).status).toBe(404);
    expect(await sessionsOf(externalId, token)).toHaveLength(1);
  });

  test.each<[string, Start, (sessionId: string) => Promise<unknown>]>([
    ["with a statement that has no answer", { left: 1 }, async () => {}],
    ["whose answers are deleted", {}, partner.deleteAnswers],
  ])("the last page of a session %s has no button", async (_what, start, end) => {
    const { sessionId, visitor, page } = await atTheEnd({ origin, ...start });
    await end(sessionId);
    const { status, text } = await visitor.get(page);
    expect([status, text.includes("<form")]).toEqual([200, false]);
  });

  test("a person stays on the last page, as the page before says, and only its own form creates the session", async () => {
    const { visitor, page, externalId } = await started({ origin });
    expect((await visitor.get(`${page}/review`)).text).toContain("You can then go on to");
    const finished = await visitor.submit(`${page}/review`, {}, `${page}/finish`);
    expect(finished.headers.get("location")).toBe(page);
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }]) {
      const csrfToken = "sec-fetch-site" in headers ? await visitor.csrfToken(page) : "";
      expect((await visitor.post(`${page}/further`, { csrfToken }, headers)).status).toBe(403);
    }
    expect((await visitor.get(`${page}/further`)).status).toBe(404);
    expect(await sessionsOf(externalId)).toHaveLength(1);
  });
});

test("the call is refused until the session is completed, and in an invalid language", async () => {
  const codeOf = async (start: Start, isCompleted: boolean, chosenLanguage = "de") => {
    const { sessionId, visitor, complete } = await started(start);
    if (isCompleted) await complete();
    const token = visitor.cookies.get(`pas-hosted-${sessionId}`) ?? "";
    const message = { sessionId, chosenLanguage };
    const { code } = await refusal(client.unary(HostedService.method.continueHostedSession, message, bearer(token)));
    return code;
  };
  expect(await codeOf({}, false)).toBe(Code.NotFound);
  expect(await codeOf({}, true, "de de")).toBe(Code.InvalidArgument);
});

test("pages tell how many further statements there are, and none where nothing is offered", async () => {
  const countOf = async (start: Start) => {
    const { sessionId, visitor } = await atTheEnd(start);
    const token = visitor.cookies.get(`pas-hosted-${sessionId}`) ?? "";
    const { getHostedSession } = HostedService.method;
    return (await client.unary(getHostedSession, { sessionId }, bearer(token))).furtherStatements;
  };
  expect([await countOf({}), await countOf({ of: silent }), await countOf({ form: "long" })]).toEqual([76, 0, 0]);
});
