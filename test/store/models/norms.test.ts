// Norms over sequences of what people and partners do: a partner's own, and those of all partners.

import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { encodeResults } from "../../../src/products/values-bridge/messages/results.ts";
import { layoutNorms } from "../../../src/products/values-bridge/norms/layout.ts";
import { histogramsOf } from "../../../src/products/values-bridge/norms/pool/histograms.ts";
import { countSession, newSums } from "../../../src/products/values-bridge/norms/sums.ts";
import { setParticipation } from "../../../src/services/norms/participation.ts";
import { type NormRole, rolesOf } from "../../../src/services/norms/people.ts";
import { releasePools } from "../../../src/services/norms/pool-release.ts";
import { computeNorms } from "../../../src/services/norms/run.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
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
}

/** A session that somebody completes, so long after the first one. */
type About = Pick<Session, "who" | "language" | "isAttentive"> & { readonly after: number };

interface People {
  sessions: Session[];
}

/** The sessions of a person, the first completed first. */
const sessionsOf = ({ sessions }: People, who: number) =>
  sessions.filter((session) => session.who === who).toSorted((one, other) => one.completedAt - other.completedAt);

/** As the documentation of norms says who counts. */
function expectedRoles(model: People, who: number): NormRole[] {
  const [first, ...later] = sessionsOf(model, who);
  if (first === undefined) return [];
  const isGood = ({ isAttentive, hasAnswers }: Session) => isAttentive && hasAnswers;
  const second = later.find((session) => {
    const after = session.completedAt - first.completedAt;
    const isPair = after >= 7 * day && after <= 90 * day && first.language === session.language;
    return isGood(first) && isGood(session) && isPair;
  });
  return [first, ...later].map((session) => ({
    isCounted: true,
    contributes: session === second || (session === first && isGood(first)),
    retestOf: session === second ? first.id : null,
  }));
}

test("who counts for a partner's norms is told by the answers that there are, whatever was counted and removed before", async () => {
  const who = fc.nat(1);
  const language = fc.constantFrom("de" as const, "en" as const, "en" as const);
  // Just before and at the ends of the time in which a second session makes a pair.
  const after = fc.constantFrom(7 * day - 1, 7 * day, 90 * day, 90 * day + 1);
  const complete = async (model: People, partnerId: string, about: About) => {
    const [first] = sessionsOf(model, about.who);
    now = Math.max(now + 1, (first?.completedAt ?? now) + about.after);
    const session = someSession({ partnerId, externalId: `person ${about.who}` });
    await database.sessions.insertSession(session, signal);
    const answers = about.isAttentive ? attentive : attentive.map(() => 4);
    const recording = someRecording(answers, { shownLanguage: about.language });
    const { scorer } = await domain().catalogue.published(builtIn.product);
    const results = encodeResults(scorer.score(answers));
    await database.sessions.saveCompletion(session, 0, { ...recording, completedAt: new Date(now), results }, signal);
    model.sessions.push({ ...about, id: session.id, completedAt: now, hasAnswers: true });
  };
  const completes: fc.Arbitrary<fc.AsyncCommand<People, string>> = fc
    .record({ who, language, isAttentive: fc.constantFrom(true, true, true, true, true, false), after })
    .map((about) =>
      step(`person ${about.who} completes ${JSON.stringify(about)}`, (model, partnerId) =>
        complete(model, partnerId, about),
      ),
    );
  const steps: fc.Arbitrary<fc.AsyncCommand<People, string>>[] = [
    completes,
    completes,
    completes,
    fc.constantFrom(1, 2, 50).map((mostAtOnce) =>
      step(`a run, ${mostAtOnce} at a time`, async (model, partnerId) => {
        now += day;
        await computeNorms({ ...domain(), pause: async () => undefined, mostAtOnce }, new Date(now), signal);
        for (const person of [0, 1]) {
          const about = { partnerId, externalId: `person ${person}` };
          const roleOf = await rolesOf(domain(), about, deadline);
          const roles = sessionsOf(model, person).map(({ id, completedAt }) =>
            roleOf({ id, completedAt: new Date(completedAt) }),
          );
          expect(roles).toEqual(expectedRoles(model, person));
        }
      }),
    ),
    fc.nat(4).map((place) =>
      step(`the answers of session ${place} are deleted`, async (model, partnerId) => {
        const session = model.sessions[place];
        if (session === undefined || !session.hasAnswers) return;
        expect(await database.sessions.eraseData("answers", [session.id], someErasure(partnerId), signal)).toBe(1);
        session.hasAnswers = false;
      }),
    ),
    who.map((person) =>
      step(`person ${person} is erased`, async (model, partnerId) => {
        if (sessionsOf(model, person).length === 0) return;
        await eraseSubject(domain(), { partnerId, clientId: someId(), externalId: `person ${person}` }, deadline);
        model.sessions = model.sessions.filter((session) => session.who !== person);
      }),
    ),
  ];
  await holds<People, string>(
    steps,
    async () => {
      // Each history begins then, so that one can be told again by its seed.
      now = begin;
      await database.db("norm_runs").delete();
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
          const id = ids[place] ?? "";
          const { since } = await setParticipation(domain(), id, changes, deadline);
          if (since !== null) await saveCounts(id, since, peopleOf[place] ?? 0);
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
      for (const table of ["norm_pool_counts", "norm_pool_partners", "norm_pool_releases", "norm_pool_quarters"]) {
        await database.db(table).delete();
      }
      now = Date.UTC(2027, 0, 1);
      const ids = await Promise.all(peopleOf.map(newPartner));
      const partners = ids.map(() => ({ takesPart: true, isExcluded: false }));
      return { model: { now, partners, decided: -1, releases: [] }, real: ids };
    },
    { maxCommands: 24, runs: 20 },
  );
});

/** A partner that takes part, with so many people who all answered alike. */
async function newPartner(people: number): Promise<string> {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date(begin) };
  await database.identities.insertPartner(partner, signal);
  const { since } = await setParticipation(domain(), partner.id, { takesPart: true }, deadline);
  if (since !== null) await saveCounts(partner.id, since, people);
  return partner.id;
}

/** As a run does, in the night after the partner has said so. */
async function saveCounts(partnerId: string, since: Date, people: number): Promise<void> {
  const sums = newSums(layout);
  countSession(layout, sums, { answers: attentive, completedAt: new Date(begin), isHosted: false });
  const histograms = histogramsOf(layout, sums).map((counts) => counts.map((count) => people * count));
  const counts = Buffer.from(JSON.stringify({ people, histograms }));
  const changes = { published: [], withdrawn: [], counts: [{ assessmentId: 1, language: "en", since, counts }] };
  const { countedUntil: before } = await database.norms.findRun(partnerId, signal);
  const countedUntil = new Date((before?.getTime() ?? begin) + 1);
  await database.norms.saveRun({ partnerId, countedUntil, sessions: people }, before, changes, signal);
}
