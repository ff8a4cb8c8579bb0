// What partners learn of a person on the hosted pages: that they began, once. The person notices nothing of it.
import { expect, test } from "vitest";
import { bodyOf } from "../e2e/cases/case.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { deploymentOfFile } from "../support/browser/of-file.ts";
import { type Answered, Visitor } from "../support/browser/visitor.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const app = await deploymentOfFile({ EVENT_INTERVAL_MS: "20" });
const partner = await addHostedPartner(app);
const questionIds = ((await partner.createHeadless()).assessment?.questions ?? []).map(({ id }) => id);

const byScript = { accept: "application/json" };
const field = (position: number) => `q-${questionIds[position - 1]}`;

/** Types of what was announced of the session, up to all that happened so far. */
async function eventsOf(sessionId: string): Promise<string[]> {
  const transport = restTransport(app.httpUrl);
  // The log has the sessions in the order of their writes: what came before this one is in it as well.
  const { sessionId: last } = await partner.createHeadless();
  const types: string[] = [];
  for (let after = ""; ; ) {
    const { events, next } = bodyOf(await transport.listEvents({ token: partner.token }, { after, wait: 5 }));
    types.push(...events.filter(({ data }) => data.sessionId === sessionId).map(({ type }) => type));
    if (events.some(({ data }) => data.sessionId === last)) return types;
    after = next;
  }
}

/** What a browser gets, without what differs from one moment to the next. */
function asSeen({ status, headers, text }: Answered) {
  const names = [...headers.keys()].toSorted();
  const policy = headers.get("content-security-policy")?.replaceAll(/nonce-[^']+/g, "");
  return { status, names, policy, cookies: headers.getSetCookie().length, text, location: headers.get("location") };
}

test("session.started comes with the first answer on a hosted page, and only then", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted();
  const visitor = new Visitor(app.httpUrl);
  const start = await visitor.open(hostedUrl);
  const page = `${start}/questions/1`;
  const created = ["session.created"];
  await visitor.get(start);
  await visitor.get(page);
  expect(await eventsOf(sessionId)).toEqual(created);
  const csrfToken = await visitor.csrfToken(page);
  const save = (position: number, rating: string) =>
    visitor.post(page, { csrfToken, [field(position)]: rating }, byScript);
  // What is refused, and a form without an answer, begin nothing.
  await save(1, "8");
  await visitor.post(page, { csrfToken, go: "next" });
  expect(await eventsOf(sessionId)).toEqual(created);
  const first = await save(1, "4");
  expect(JSON.parse(first.text)).toEqual({ saved: 1 });
  const started = [...created, "session.started"];
  expect(await eventsOf(sessionId)).toEqual(started);
  // Nor does anything begin again: another answer, the same one, a change, another device.
  const second = await save(2, "4");
  await save(2, "4");
  await save(1, "7");
  const other = new Visitor(app.httpUrl);
  await other.open(hostedUrl);
  await other.submit(page, { [field(3)]: "1" });
  expect(await eventsOf(sessionId)).toEqual(started);
  expect(asSeen(first)).toEqual(asSeen(second));
});
