// Which two sessions of a person are compared, and by what a change is called reliable.
import { describe, expect, test } from "vitest";
import { leastForReliability, leastPeople } from "../../../src/products/product.ts";
import { getChange } from "../../../src/services/sessions/change.ts";
import { at, someId, someSession } from "../../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const partnerId = someId();
const externalId = "person";
const product = "values-bridge";

/** A person with sessions that were completed one after the other, the last two of them at the same time. */
function personWith({ sessions = 0, retests = 0, languages = ["en", "en", "en"] }) {
  const completed = [1, 2, 2].map((ms, index) => ({
    ...someSession({ partnerId, externalId }),
    completedAt: at(ms),
    cancelledAt: null,
    answersDeletedAt: null,
    resultsDeletedAt: null,
    revision: 1,
    answers: [3],
    arrivals: null,
    shownLanguage: languages[index] ?? null,
  }));
  const assessment = {
    product,
    wordings: [],
    questions: [{}],
    quality: () => undefined,
    compare: () => ({ statements: [] }),
    norms: () => ({ reliableChanges: () => [] }),
  };
  const ids = completed.map(({ id }) => id);
  const deps = {
    sessions: {
      findSession: async ({ id }: { id: string }) => completed.find((each) => each.id === id),
      findLatestOutcome: async () => ({ sessionId: ids[2] }),
      findOutcomeBefore: async (_p: string, _partner: string, _person: string, { id }: { id: string }) => ({
        sessionId: ids[ids.indexOf(id) - 1],
      }),
    },
    catalogue: { byId: async () => assessment },
    norms: {
      findNumbers: async (_partner: string, { kind }: { kind: string }) => {
        const people = kind === "sessions" ? sessions : retests;
        // Numbers of fewer are not stored.
        if (people < (kind === "sessions" ? leastPeople : leastForReliability)) return undefined;
        return { computedAt: at(5), people, numbers: Buffer.from("{}") };
      },
    },
  };
  const change = async (from?: number, to?: number) => {
    const [first, second] = [from, to].map((index) => (index === undefined ? undefined : ids[index]));
    const query = { partnerId, product, externalId, from: first, to: second };
    const found = await getChange(deps as never, query, deadline);
    return [ids.indexOf(found.from.session.id), ids.indexOf(found.to.session.id), found.reliable?.basis ?? null];
  };
  return { change, ids };
}

describe("a change", () => {
  test("is from the session before to the last one, unless others are asked for", async () => {
    const { change } = personWith({});
    expect(await change()).toEqual([1, 2, null]);
    expect(await change(0)).toEqual([0, 2, null]);
    expect(await change(undefined, 1)).toEqual([0, 1, null]);
  });

  test("is from the earlier session to the later one; of the same moment the one made first is earlier", async () => {
    const { change } = personWith({});
    expect(await change(1, 2)).toEqual([1, 2, null]);
    for (const [from, to] of [
      [1, 0],
      [2, 1],
      [1, 1],
    ]) {
      const refused = { violations: [expect.objectContaining({ path: ["from"], code: "not_earlier" })] };
      await expect(change(from, to)).rejects.toMatchObject(refused);
    }
  });

  const [least, fewer] = [leastForReliability, leastForReliability - 1];
  test.each([
    ["people who answered again", { sessions: least, retests: least }, "retest"],
    ["the error of measurement, where too few answered again", { sessions: least, retests: fewer }, "reliability"],
    ["nothing, where too few answered at all", { sessions: fewer, retests: fewer }, null],
    ["nothing between two languages", { sessions: least, retests: least, languages: ["en", "en", "de"] }, null],
  ])("is judged by %s", async (_, norms, basis) => {
    expect(await personWith(norms).change()).toEqual([1, 2, basis]);
  });
});
