// P17 to P19: people come and go, days pass, and every transport tells what was released and nothing else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groupRule } from "../../../src/products/values-bridge/norms/release.ts";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { bodyOf } from "../cases/case.ts";
import { attentive, openPeople, type People } from "./people.ts";
import { type Asker, type NormReader, readers, valuesOf } from "./readers.ts";
import { attentiveBut } from "./sheets.ts";

/** `[day, operation, contribution, partner or new contribution]`. */
type Event = readonly [day: number, operation: string, id?: string, other?: string];

interface Input {
  readonly k: number;
  readonly leastN: number;
  readonly events: readonly Event[];
}
interface After {
  readonly live: number;
  readonly new: number;
  readonly released: boolean;
  readonly publishedN: number | null;
}

interface Scope {
  readonly norms: { readonly n: number; readonly released: string } | null;
  readonly reason: string | null;
}

// One service for each reader: numbers of all partners are those of everybody who is there.
describe.each(Object.entries(readers))("over %s", (_name, open) => {
  let app: TestApp;
  let people: People;
  let reader: NormReader;
  beforeAll(async () => {
    app = await startTestApp({ NORMS_INTERVAL_SECONDS: "0" });
    people = openPeople(app);
    reader = open(app);
  });
  afterAll(async () => {
    reader.close();
    await people.close();
    await app.stop();
  });

  /** Does the events of a case one after another. @returns what is true after each */
  async function play({ k, leastN, events }: Input, scope: "partner" | "pooled"): Promise<After[]> {
    const askers = new Map<string, Asker>();
    const owners = new Map<string, Asker>();
    const askerOf = async (name: string) => {
      const known = askers.get(name) ?? (await addCaller(app));
      askers.set(name, known);
      return known;
    };
    const done: After[] = [];
    let [today, releases] = [0, 0];
    for (const [day, operation, id = "", partner = "the only one"] of events) {
      await pass(day - today);
      today = day;
      if (operation === "add") {
        const owner = await askerOf(partner);
        owners.set(id, owner);
        await people.complete(owner.partnerId, id, attentive);
      }
      if (operation === "remove") await erase(owners.get(id), id);
      await people.count();
      await people.release({ fresh: k, live: leastN });
      const [asker] = askers.values();
      if (asker === undefined) throw new Error("nobody is there");
      const told = (await reader.norms(asker))[scope] as unknown as Scope;
      const state = await stateOf(scope === "pooled" ? null : asker.partnerId);
      done.push({
        live: state.live,
        new: state.fresh,
        released: state.releases > releases,
        publishedN: told.norms?.n ?? null,
      });
      if (told.norms === null) expect(told.reason).toEqual(state.releases > 0 ? "withdrawn" : expect.any(String));
      releases = state.releases;
    }
    return done;
  }

  const stateOf = async (partnerId: string | null) => {
    const state = await people.stateOf(partnerId);
    if (state === undefined) throw new Error("nobody was counted");
    return state;
  };

  async function erase(owner: Asker | undefined, externalId: string): Promise<void> {
    if (owner === undefined) throw new RangeError(`nobody is ${externalId}`);
    bodyOf(await restTransport(app.httpUrl).eraseSubject({ token: owner.token }, externalId));
  }

  /** Everything that was removed was removed so many days earlier. */
  async function pass(days: number): Promise<void> {
    await app.database.connection.query("UPDATE norm_sets SET removed_at = removed_at - INTERVAL ? DAY", [days]);
  }

  test("P17: norms of all partners are released, kept and withdrawn as in the case", async () => {
    const { input, expected } = vector<Input, After[]>("P17");
    expect(await play(input, "pooled")).toEqual(expected.map(whatIsSeen));
  });

  // Only groups replace what a member contributed, and there are no groups yet: the case is played until then.
  test("P18: a partner's own norms are released as those of a group, until a contribution is replaced", async () => {
    const { input, expected } = vector<Input, After[]>("P18");
    const first = input.events.findIndex(([, operation]) => operation === "replace");
    const played = await play({ ...input, events: input.events.slice(0, first) }, "partner");
    expect(played).toEqual(expected.slice(0, first).map(whatIsSeen));
    expect(played.some(({ released }) => released)).toBe(true);
  });

  // There are no groups yet, which alone withhold numbers of members who are equal; the others are released by their
  // rule.
  test("P19: released numbers of few people are those of the case", async () => {
    const { input, expected } = vector<number[][], Numbers[]>("P19");
    for (const [place, members] of input.entries()) {
      const { n, mean, sd } = expected[place] ?? { n: null, mean: null, sd: null };
      if (n !== null && mean === null) continue;
      const as = await addCaller(app);
      const measure = members.some((member) => member < 0) ? "gap" : "ideal";
      for (const [member, points] of members.entries()) {
        await people.complete(as.partnerId, `member ${member}`, withPoints(points, measure));
      }
      await people.count();
      await people.release(groupRule);
      const told = await reader.norms(as);
      if (n === null) {
        expect(told.partner).toMatchObject({ norms: null, reason: "too_few" });
        continue;
      }
      const value = valuesOf(told)[0]?.[measure];
      const { norms } = told.partner as unknown as Scope;
      expect([norms?.n, toOne(value?.mean), toOne(value?.sd)]).toEqual([n, mean, sd]);
    }
  });
});

interface Numbers {
  readonly n: number | null;
  readonly mean: number | null;
  readonly sd: number | null;
}

const toOne = (number = Number.NaN) => Number(number.toFixed(1));

/** Answers with this score of the first value in the ideal life, or with this gap of it. */
function withPoints(points: number, measure: "ideal" | "gap"): number[] {
  const steps = Math.round((points / 100) * 24);
  const idealSteps = measure === "ideal" ? steps : 12 + Math.ceil(steps / 2);
  const currentSteps = measure === "ideal" ? 12 : idealSteps - steps;
  return attentiveBut(({ value, item, life }) => {
    if (value > 0) return undefined;
    return Math.floor(((life === "ideal" ? idealSteps : currentSteps) + item) / 4);
  });
}

/** What is told of a scope, without the event. */
function whatIsSeen({ live, new: fresh, released, publishedN }: After): After {
  return { live, new: fresh, released, publishedN };
}
