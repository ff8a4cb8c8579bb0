// Norms over sequences of what people and partners do: a partner's own, and those of all partners.

import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { withVersions } from "../../../src/domain/norms/arithmetic.ts";
import { countSessions } from "../../../src/domain/norms/count.ts";
import { setParticipation } from "../../../src/domain/norms/participation.ts";
import { releasePools } from "../../../src/domain/norms/pool-release.ts";
import { rebuildNorms } from "../../../src/domain/norms/rebuild.ts";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { countSession } from "../../../src/products/values-bridge/norms/accumulators/contribution.ts";
import { layoutNorms } from "../../../src/products/values-bridge/norms/accumulators/layout.ts";
import { encodeSums } from "../../../src/products/values-bridge/norms/accumulators/sums-codec.ts";
import { eraseSubject } from "../../../src/services/subjects/subjects.ts";
import { someAssessment, someErasure, someId, someRecording, someSession } from "../../support/builders.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { holds, step } from "../../support/models.ts";
import { assessorOf, builtIn } from "../../values-bridge/quality/models.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";

const { signal } = new AbortController();
const deadline = { signal, at: Number.MAX_SAFE_INTEGER };
const attentive = vector<{ answers: readonly number[] }, unknown>("P04").input.answers;
const layout = layoutNorms(assessorOf(builtIn).compiled);
const day = 24 * 60 * 60 * 1000;
const begin = Date.UTC(2026, 0, 1);

let database: TestStores;
let now = begin;
beforeAll(async () => {
  database = await openTestStores();
  const assessment = someAssessment({ definition: builtIn, product: builtIn.product });
  await database.assessments.insertAssessment(assessment, signal);
});
beforeEach(() => {
  now = begin;
});
afterAll(() => database.close());

const domain = () =>
  testDomain(database, {
    clock: () => now,
    reportDefect: (error) => {
      throw error;
    },
  });

interface Session {
  readonly id: string;
  readonly who: number;
  readonly completedAt: number;
  readonly language: "de" | "en";
  readonly isAttentive: boolean;
  hasAnswers: boolean;
  isCounted: boolean;
  /** What it counts as: its person's first, be it attentive or not, or with that one as a pair. */
  role: "first" | "retest" | null;
}

/** A session that somebody completes, so long after the first one. */
interface About {
  readonly who: number;
  readonly language: "de" | "en";
  readonly isAttentive: boolean;
  readonly after: number;
}

interface People {
  sessions: Session[];
}

const firstOf = ({ sessions }: People, who: number) =>
  sessions.find((session) => session.who === who && session.role === "first");

/** As the documentation of norms says who counts. */
function countIn(model: People): void {
  const waiting = model.sessions.filter(({ isCounted, hasAnswers }) => !isCounted && hasAnswers);
  for (const session of waiting.toSorted((one, other) => one.completedAt - other.completedAt)) {
    session.isCounted = true;
    const first = firstOf(model, session.who);
    if (first === undefined) {
      session.role = "first";
      continue;
    }
    const after = session.completedAt - first.completedAt;
    const hasRetest = model.sessions.some(({ who, role }) => who === session.who && role === "retest");
    const isPair = after >= 7 * day && after <= 90 * day && first.language === session.language;
    if (first.isAttentive && session.isAttentive && isPair && !hasRetest) session.role = "retest";
  }
}

/** With a first one goes the pair that it is in. */
function takeAway(model: People, session: Session): void {
  if (session.role === "first") {
    for (const each of model.sessions) if (each.who === session.who && each.role === "retest") each.role = null;
  }
  session.role = null;
}

/** How many sessions and pairs there are in each language. */
async function liveOf(partnerId: string): Promise<Record<string, number>> {
  const rows = await database
    .db("norm_sets")
    .where({ partner_id: uuidToBytes(partnerId) })
    .select("*");
  const counts = rows.map(({ language, kind, live }) => [`${language} ${kind === 1 ? "first" : "retest"}`, live]);
  return Object.fromEntries(counts.filter(([, live]) => live > 0));
}

async function agree(model: People, partnerId: string): Promise<void> {
  const expected: Record<string, number> = {};
  for (const { language, role, isAttentive } of model.sessions) {
    if (role === null || !isAttentive) continue;
    expected[`${language} ${role}`] = (expected[`${language} ${role}`] ?? 0) + 1;
  }
  expect(await liveOf(partnerId)).toEqual(expected);
}

test("who counts for a partner's norms is told by the answers that there are, whatever was counted and removed before", async () => {
  const who = fc.nat(1);
  const language = fc.constantFrom("de" as const, "en" as const, "en" as const);
  // Just before and at the ends of the time in which a second session makes a pair.
  const after = fc.constantFrom(7 * day - 1, 7 * day, 90 * day, 90 * day + 1);
  const complete = async (model: People, partnerId: string, about: About) => {
    const first = firstOf(model, about.who);
    now = Math.max(now + 1, (first?.completedAt ?? now) + about.after);
    const session = someSession({ partnerId, externalId: `person ${about.who}` });
    await database.sessions.insertSession(session, signal);
    const answers = about.isAttentive ? attentive : attentive.map(() => 4);
    const recording = someRecording(answers, { shownLanguage: about.language });
    const { scorer } = await domain().catalogue.published(builtIn.product);
    const results = encodeResults(scorer.score(answers));
    await database.sessions.saveCompletion(session, 0, { ...recording, completedAt: new Date(now), results }, signal);
    const known = { id: session.id, completedAt: now, hasAnswers: true, isCounted: false, role: null };
    model.sessions.push({ ...about, ...known });
  };
  const count = async (model: People, partnerId: string, mostAtOnce: number) => {
    // A row that is locked just then is passed over, and is the next run's.
    while ((await countSessions({ ...domain(), mostAtOnce }, signal, async () => true)) > 0);
    countIn(model);
    await agree(model, partnerId);
  };
  const completes: fc.Arbitrary<fc.AsyncCommand<People, string>> = fc
    .record({ who, language, isAttentive: fc.constantFrom(true, true, true, true, true, false), after })
    .map((about) =>
      step(`person ${about.who} completes ${JSON.stringify(about)}`, (model, partnerId) =>
        complete(model, partnerId, about),
      ),
    );
  const completesTwice: fc.Arbitrary<fc.AsyncCommand<People, string>> = fc
    .record({ first: language, second: language, after })
    .map(({ first, second, after }) =>
      step(`somebody else completes in ${first}, and ${after} ms later in ${second}`, async (model, partnerId) => {
        const about = { who: 10 + model.sessions.length, isAttentive: true, after };
        await complete(model, partnerId, { ...about, language: first });
        await count(model, partnerId, 50);
        await complete(model, partnerId, { ...about, language: second });
        await count(model, partnerId, 50);
      }),
    );
  const job: fc.Arbitrary<fc.AsyncCommand<People, string>> = fc.constantFrom(1, 2, 50).map((mostAtOnce) =>
    step(`the job comes by, ${mostAtOnce} at a time`, async (model, partnerId) => {
      await count(model, partnerId, mostAtOnce);
      expect(await rebuildNorms(domain(), signal)).toMatchObject({ changed: 0 });
    }),
  );
  // Histories in which somebody has a first session, a pair with it, and more.
  const steps: fc.Arbitrary<fc.AsyncCommand<People, string>>[] = [
    completes,
    completes,
    completesTwice,
    completesTwice,
    job,
    job,
    fc.nat(4).map((place) =>
      step(`the answers of session ${place} are deleted`, async (model, partnerId) => {
        const session = model.sessions[place];
        if (session === undefined || !session.hasAnswers) return;
        const { arithmetic } = domain();
        const erasure = someErasure(partnerId);
        const erase = () => database.sessions.eraseData("answers", [session.id], erasure, arithmetic, signal);
        expect(await withVersions(arithmetic, erase)).toBe(1);
        takeAway(model, session);
        session.hasAnswers = false;
        await agree(model, partnerId);
      }),
    ),
    who.map((person) =>
      step(`person ${person} is erased`, async (model, partnerId) => {
        if (!model.sessions.some((session) => session.who === person)) return;
        await eraseSubject(domain(), { partnerId, clientId: someId(), externalId: `person ${person}` }, deadline);
        model.sessions = model.sessions.filter((session) => session.who !== person);
        await agree(model, partnerId);
      }),
    ),
  ];
  await holds<People, string>(
    steps,
    async () => {
      // Each history begins then, so that one can be told again by its seed.
      now = begin;
      return { model: { sessions: [] }, real: someId() };
    },
    { maxCommands: 30, runs: 15 },
  );
});

interface Pool {
  now: number;
  /** Of each partner, whether its people count for all. */
  readonly partners: { takesPart: boolean; isExcluded: boolean }[];
  /** Quarters from 2027 on up to which was decided; -1: none. */
  decided: number;
  releases: number[];
}

const quarterOf = (time: number) =>
  4 * (new Date(time).getUTCFullYear() - 2027) + Math.floor(new Date(time).getUTCMonth() / 3);

/** Three partners, and a fourth: of these thousands, three are enough for a release. */
const peopleOf = [1_000, 1_000, 1_000, 1_000];

test("norms of all partners are released once in each quarter that begins with enough people of partners that take part", async () => {
  const which = fc.nat(peopleOf.length - 1);
  const release = () => releasePools({ ...domain(), random: randomBytes, yieldToCalls: async () => undefined }, signal);
  const agreeOn = async (model: Pool) => {
    const rows = await database.db("norm_pool_releases").orderBy("number").select("*");
    expect(rows.map(({ number, released_at }) => [number, released_at.getTime()])).toEqual(
      model.releases.map((releasedAt, index) => [index + 1, releasedAt]),
    );
  };
  const steps: fc.Arbitrary<fc.AsyncCommand<Pool, readonly string[]>>[] = [
    fc
      .record({
        place: which,
        changes: fc.constantFrom(
          { takesPart: true },
          { takesPart: false },
          { isExcluded: true },
          { isExcluded: false },
        ),
      })
      .map(({ place, changes }) =>
        step(`partner ${place}: ${JSON.stringify(changes)}`, async (model, ids) => {
          await setParticipation(domain(), ids[place] ?? "", changes, deadline);
          Object.assign(model.partners[place] ?? {}, changes);
        }),
      ),
    // Into the next quarter, within this one, and back.
    fc.constantFrom(92, 92, 30, -100).map((days) =>
      step(`${days} days pass`, async (model) => {
        model.now = Math.max(Date.UTC(2027, 0, 1), model.now + days * day);
        now = model.now;
      }),
    ),
    fc.constantFrom(1, 3).map((processes) =>
      step(`${processes} processes release`, async (model) => {
        const made = await Promise.all(Array.from({ length: processes }, release));
        const people = model.partners.filter(({ takesPart, isExcluded }) => takesPart && !isExcluded).length;
        const quarter = quarterOf(model.now);
        const isMade = quarter > model.decided && people >= 3 && model.releases.length < 8;
        expect(made.reduce((sum, each) => sum + each, 0)).toBe(isMade ? 1 : 0);
        if (isMade) model.releases.push(model.now);
        model.decided = Math.max(model.decided, quarter);
        await agreeOn(model);
      }),
    ),
  ];
  await holds<Pool, readonly string[]>(
    steps,
    async () => {
      for (const table of [
        "norm_sets",
        "norm_sums",
        "norm_pool_partners",
        "norm_pool_releases",
        "norm_pool_quarters",
      ]) {
        await database.db(table).delete();
      }
      now = Date.UTC(2027, 0, 1);
      const ids = await Promise.all(peopleOf.map(newPartner));
      for (const id of ids) await setParticipation(domain(), id, { takesPart: true }, deadline);
      const partners = ids.map(() => ({ takesPart: true, isExcluded: false }));
      return { model: { now, partners, decided: -1, releases: [] }, real: ids };
    },
    { maxCommands: 24, runs: 20 },
  );
});

/** A partner with so many people who all answered alike. */
async function newPartner(people: number): Promise<string> {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date(begin) };
  await database.identities.insertPartner(partner, signal);
  const sums = new Float64Array(layout.length);
  countSession(layout, sums, { answers: attentive, completedAt: new Date(begin), isHosted: false }, 1);
  const set = { assessment_id: 1, language: Buffer.from("en"), kind: 1, live: people };
  const ofPartner = { partner_id: uuidToBytes(partner.id) };
  const id = 1;
  await database.db("norm_sets").insert({ id, ...set, ...ofPartner });
  await database
    .db("norm_sums")
    .insert({ ...ofPartner, set_id: id, sums: encodeSums(sums.map((sum) => people * sum)) });
  return partner.id;
}
