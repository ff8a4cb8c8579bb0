// What cases of the contract are. One table of them runs over every transport.
import { expect } from "vitest";
import type { Scope } from "../../../src/domain/identity/scopes.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { addCaller, type TestApp } from "../../support/app.ts";
import type {
  AnswerInput,
  As,
  CreatedBody,
  EventBody,
  Fault,
  InputOf,
  Outcome,
  Transport,
} from "../../support/transports/transports.ts";

export interface World {
  readonly app: TestApp;
  readonly transport: Transport;
  /** A caller with all partner scopes. */
  readonly alice: As & { readonly token: string; readonly partnerId?: never };
  /** The like, of another partner. */
  readonly bob: As & { readonly token: string; readonly partnerId?: never };
}

/** Cases by their guarantees. */
export type Cases = Readonly<Record<string, (world: World) => Promise<void>>>;

/** The cases of each of a list. */
export function casesOf<T>(list: readonly T[], caseOf: (each: T) => Cases): Cases {
  return Object.fromEntries(list.flatMap((each) => Object.entries(caseOf(each))));
}

/** The body of a success. */
export function bodyOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`);
  return outcome.body;
}

/** Expects a refusal with the code and exactly these faults. */
export function expectRefused(outcome: Outcome<unknown>, code: string, faults: readonly Fault[] = []): void {
  expect(outcome).toMatchObject({ ok: false, code, faults });
}

/**
 * Makes a call again while the service has no room for it, as callers are told to: many at once are more than it takes.
 */
export async function untilServed<O extends Outcome<unknown>>(call: () => Promise<O>): Promise<O> {
  for (;;) {
    const outcome = await call();
    if (outcome.ok || outcome.code !== "unavailable") return outcome;
  }
}

/** A new partner with a client of these scopes, all of them unless given, and a world whose Alice it is. */
export async function newPartner(world: World, ...scopes: readonly Scope[]) {
  const { token, partnerId, credentials } = await addCaller(world.app, scopes.length === 0 ? undefined : scopes);
  const own = { ...world, alice: { token } };
  return { ...own, world: own, as: { token }, partnerId, clientId: credentials.clientId };
}

/** A new headless session. */
export async function newSession(
  { transport, alice }: World,
  input: InputOf<"createSession"> = {},
): Promise<Required<Omit<CreatedBody, "hostedUrl" | "expiresAt">>> {
  const { sessionId, mode, subject, form, assessment } = bodyOf(await transport.createSession(alice, input));
  if (assessment === undefined) throw new Error("no assessment");
  return { sessionId, mode, subject, form, assessment };
}

/** An answer to a question. */
export function answer(questionId: number, value: number): AnswerInput {
  return { questionId, response: { type: "likert", value } };
}

/** An answer to every question, different from question to question. */
export function fullAnswers({ assessment }: { assessment: { questions: readonly { id: number }[] } }): AnswerInput[] {
  return assessment.questions.map(({ id }, index) => answer(id, 1 + ((index * 5 + Math.trunc(index / 7)) % 7)));
}

/** A session that is completed with answers to every question. */
export async function completedSession(world: World, input: InputOf<"createSession"> = {}) {
  const session = await newSession(world, input);
  const answers = fullAnswers(session);
  const completed = bodyOf(await world.transport.completeSession(world.alice, session.sessionId, { answers }));
  return { ...session, answers, completed };
}

/** A session that is completed with these answers in asking order, null for a question that stays unanswered. */
export async function completedWith(
  world: World,
  answers: readonly (number | null)[],
  input: InputOf<"createSession"> = {},
) {
  const session = await newSession(world, input);
  const given = session.assessment.questions.flatMap(({ id }, index) => {
    const rating = answers[index] ?? null;
    return rating === null ? [] : [answer(id, rating)];
  });
  bodyOf(await world.transport.completeSession(world.alice, session.sessionId, { answers: given }));
  return session;
}

/** An external id that no other case uses. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** What a member is that has no value: null over REST, left out of messages. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** What a hosted session is created with. */
export const hostedMode = { mode: "hosted", redirectUrl: "https://partner.example/done" } as const;

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The time so long from now, as requests name times. */
export function fromNow(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Matches a time of a response. */
export const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Lets the time of a session pass: it ended a minute ago. The process may know the session, so its revision is raised. */
export async function letExpire({ app }: World, sessionId: string): Promise<void> {
  const sql = `UPDATE sessions
    SET expires_at = NOW(3) - INTERVAL 1 MINUTE, announce_at = expires_at, revision = revision + 1 WHERE id = ?`;
  await app.database.connection.query(sql, [uuidToBytes(sessionId)]);
}

/** Reads the feed from a cursor until so many events came. */
export async function readEvents(
  { transport, alice }: Pick<World, "transport" | "alice">,
  count: number,
  query: InputOf<"listEvents"> = {},
): Promise<EventBody[]> {
  const events: EventBody[] = [];
  let { after = "" } = query;
  while (events.length < count) {
    const page = bodyOf(await transport.listEvents(alice, { wait: 5, ...query, after }));
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

/** Formats of a report: the word, the media type, and how the bytes begin. */
export const reportFormats = [
  ["json", "application/json", /^\{"revision":/],
  ["html", "text/html; charset=utf-8", /^<!doctype html>/],
  ["svg", "image/svg+xml", /^<svg [^>]*\bxmlns=/],
  ["png", "image/png", /^.PNG/],
  ["pdf", "application/pdf", /^%PDF-1\.7/],
] as const;
