// How many people norms are told of, as provisional or not, and which norms a person is compared with.
import { describe, expect, test } from "vitest";
import { AssessmentForm } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { WithheldReason } from "../../../src/gen/assessment/v1/norm_service_pb.ts";
import { anonymousPrefix } from "../../../src/kernel/formats.ts";
import { leastForReliability, leastPeople } from "../../../src/products/product.ts";
import { getNorms } from "../../../src/services/norms/norm-service.ts";
import { findComparison, findOwnNorms } from "../../../src/services/norms/norms.ts";
import { mayJoinPool, setParticipation } from "../../../src/services/norms/participation.ts";
import { quarterOf } from "../../../src/services/norms/pool-release.ts";
import type { NormKey, PoolKey, StoredNumbers } from "../../../src/store/norms/norm-store.ts";
import type { Participation } from "../../../src/store/norms/pool-store.ts";
import { at, someId } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const partnerId = someId();
const place = { assessmentId: 1, partnerId, shownLanguage: "de" };

/** Norms of so many people, and a release of so many of all partners; 0: none. Both say what they were asked for. */
function normsOf({ people = 0, pooled = 0 }) {
  const asked: (NormKey | PoolKey)[] = [];
  const wordings = [
    { language: "en", translationState: null },
    { language: "de", translationState: "draft" },
  ];
  const assessment = {
    id: 1,
    wordings,
    norms: () => ({
      pooledNumbers: () => ({ n: pooled }),
      pooledStandings: () => "pooled",
      standings: (numbers: unknown, n: number) => ({ numbers, n }),
    }),
  };
  const deps = {
    norms: {
      async findNumbers(_partnerId: string, key: NormKey): Promise<StoredNumbers | undefined> {
        asked.push(key);
        return people === 0 ? undefined : { computedAt: at(1), people, numbers: Buffer.from('{"of":"own"}') };
      },
    },
    normPools: {
      async findRelease(key: PoolKey) {
        asked.push(key);
        return pooled === 0 ? undefined : { number: 2, releasedAt: at(2), histograms: Buffer.alloc(0) };
      },
    },
    catalogue: {
      product: { messages: { norms: (...told: unknown[]) => told, retestNorms: (...told: unknown[]) => told } },
      published: async () => assessment,
      byId: async () => assessment,
      byVersion: async () => assessment,
      inForm: async () => assessment,
    },
  };
  return { deps: deps as never, asked };
}

describe("norms of a partner's own people", () => {
  test.each([
    ["sessions", leastPeople],
    ["retests", leastForReliability],
  ] as const)("are those of %s of enough people, and provisional below 400", async (kind, least) => {
    const found = async (people: number) => {
      const { deps, asked } = normsOf({ people });
      const norms = await findOwnNorms(deps, place, kind, deadline);
      expect(asked).toEqual([{ assessmentId: 1, language: "de", kind }]);
      return (
        norms && [
          norms.about.n,
          norms.about.provisional,
          norms.about.language,
          norms.about.translationState,
          norms.numbers,
        ]
      );
    };
    expect(await Promise.all([least, 399, 400].map(found))).toEqual([
      ...[
        [least, true],
        [399, true],
        [400, false],
      ].map((told) => [...told, "de", "draft", { of: "own" }]),
    ]);
    expect(await found(0)).toBeNull();
  });

  test("are told to whoever may see individuals, in a language that the version has or that is not known", async () => {
    const { deps, asked } = normsOf({ people: 400 });
    const request = { product: "values-bridge", form: AssessmentForm.LONG };
    const caller = { partnerId, maySeeOwn: true };
    const { language, partner, pooled } = await getNorms(deps, caller, request, deadline);
    const about = {
      released: at(1).toISOString(),
      n: 400,
      provisional: false,
      language: "und",
      translationState: "draft",
    };
    const norms = [about, { of: "own" }];
    expect([language, partner]).toEqual(["und", { norms, retest: norms }]);
    expect(pooled).toEqual({ reason: WithheldReason.WAITING });
    asked.length = 0;
    const english = { ...request, language: "en" };
    const { partner: hidden } = await getNorms(deps, { partnerId, maySeeOwn: false }, english, deadline);
    const reason = WithheldReason.NOT_PERMITTED;
    expect([hidden, asked]).toEqual([{ reason, retestReason: reason }, [{ assessmentId: 1, language: "en" }]]);
    await expect(getNorms(deps, caller, { ...request, language: "ja" }, deadline)).rejects.toMatchObject({
      code: "invalid_request",
      violations: [expect.objectContaining({ path: ["language"], code: "unknown_value" })],
    });
  });
});

describe("a person is compared", () => {
  const compared = async (people: number, pooled: number) => {
    const comparison = await findComparison(normsOf({ people, pooled }).deps, place, deadline);
    return comparison && [comparison.scope, comparison.n, comparison.provisional, comparison.released];
  };

  test.each([
    [
      "with the people of their partner, be there others or not",
      leastPeople,
      1_000,
      ["partner", 30, true, at(1).toISOString()],
    ],
    ["with the people of all partners where there are too few", 0, 399, ["pooled", 399, true, at(2).toISOString()]],
    ["with as many of them as norms need not to be provisional", 0, 400, ["pooled", 400, false, at(2).toISOString()]],
    ["with nobody", 0, 0, null],
  ])("%s", async (_, people, pooled, expected) => {
    expect(await compared(people, pooled)).toEqual(expected);
  });

  test("with those who were shown the same language, which may not be known", async () => {
    const { deps, asked } = normsOf({ pooled: 1 });
    const comparison = await findComparison(deps, { ...place, shownLanguage: null }, deadline);
    expect(asked.map(({ language }) => language)).toEqual(["und", "und"]);
    expect([comparison?.language, comparison?.standings([])]).toEqual(["und", "pooled"]);
    const own = await findComparison(normsOf({ people: 40 }).deps, place, deadline);
    expect(own?.standings([])).toEqual({ numbers: { of: "own" }, n: 40 });
  });
});

test("a partner takes part since it said so first, and an operator leaves it out as that said last", async () => {
  let stored: Participation | undefined;
  let now = 1;
  const deps = {
    normPools: {
      findParticipation: async () => stored,
      saveParticipation: async (_: string, given: Participation) => {
        stored = given;
      },
    },
    identities: { findPartner: async (id: string) => ({ id, name: "", internal: false, createdAt: at(0) }) },
    clock: () => at(now).getTime(),
  };
  const set = (changes: { takesPart?: boolean; isExcluded?: boolean }) => {
    now += 1;
    return setParticipation(deps, partnerId, changes, deadline);
  };
  expect([await set({}), stored]).toEqual([{ since: null, isExcluded: false }, undefined]);
  expect(await set({ takesPart: true })).toEqual({ since: at(3), isExcluded: false });
  expect(await set({ isExcluded: true })).toEqual({ since: at(3), isExcluded: true });
  expect(await set({ takesPart: true, isExcluded: false })).toEqual({ since: at(3), isExcluded: false });
  expect([await set({}), stored]).toEqual([stored, { since: at(3), isExcluded: false }]);
  expect(await set({ takesPart: false })).toEqual({ since: null, isExcluded: false });
  expect(await set({ takesPart: true })).toEqual({ since: at(8), isExcluded: false });
});

test.each([
  ["from then on", "somebody", 5, true],
  ["before", "somebody", 4, false],
  ["without an external id", `${anonymousPrefix}0193527a-8d2c-4c31-9f0e-5b1f6a2d4c11`, 5, false],
])("a session that was created %s may come to count for all partners: %s", async (_, externalId, createdAt, may) => {
  const normPools = { findParticipation: async () => ({ since: at(5), isExcluded: false }) };
  const { signal } = deadline;
  expect(await mayJoinPool({ normPools }, { partnerId, externalId, createdAt: at(createdAt) }, signal)).toBe(may);
});

test("a quarter has three months", () => {
  const quarters = Array.from({ length: 13 }, (_, month) => quarterOf(new Date(Date.UTC(2026, month))) - 4 * 2026);
  expect(quarters).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
});
