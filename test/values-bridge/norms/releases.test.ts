// No linear combination of released totals isolates a few people, whatever comes and goes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isWithdrawn,
  mayRelease,
  withdrawalMs,
  withheldOf,
} from "../../../src/products/values-bridge/norms/release.ts";
import { Release, type ReleaseEvent } from "./releases.ts";

const k = 3;
const people = 14;
const partners = ["A", "B", "C"];
const partnerOf = (person: number) => partners[person % partners.length] ?? "";

const anyStep = fc.record({
  op: fc.constantFrom("add", "add", "add", "remove", "replace"),
  who: fc.nat(people - 1),
});
const anySequence = fc.array(anyStep, { minLength: 8, maxLength: 60 });

/** Plays a sequence. @returns who was in each release: a number for each contribution that there ever was */
function releasesOf(sequence: readonly { op: string; who: number }[], isPooled: boolean): string[][] {
  const release = new Release({ fresh: k, live: 2 * k }, isPooled);
  const live = new Map<number, string>();
  for (const [day, { op, who }] of sequence.entries()) {
    const known = live.get(who);
    const next = `${who} since ${day}`;
    const event: ReleaseEvent | null =
      op === "remove" && known !== undefined
        ? [day, "remove", known]
        : op === "replace" && known !== undefined && !isPooled
          ? [day, "replace", known, next]
          : op === "add" && known === undefined
            ? [day, "add", next, partnerOf(who)]
            : null;
    if (event === null) continue;
    if (event[1] === "remove") live.delete(who);
    else live.set(who, next);
    release.apply(event);
  }
  return release.released;
}

function rankOf(rows: readonly (readonly number[])[]): number {
  const left = rows.map((row) => [...row]);
  let rank = 0;
  for (let column = 0; column < (left[0]?.length ?? 0); column += 1) {
    const pivot = left.findIndex((row, i) => i >= rank && Math.abs(row[column] ?? 0) > 1e-9);
    const found = left[pivot];
    if (found === undefined) continue;
    [left[rank], left[pivot]] = [found, left[rank] ?? found];
    for (const row of left.slice(rank + 1)) {
      const factor = (row[column] ?? 0) / (found[column] ?? 1);
      for (let j = column; j < row.length; j += 1) row[j] = (row[j] ?? 0) - factor * (found[j] ?? 0);
    }
    rank += 1;
  }
  return rank;
}

/** The least number of people that a combination of released totals other than 0 depends on, if it is below k. */
function fewestIsolated(vectors: readonly (readonly number[])[]): number {
  const whole = rankOf(vectors);
  const columns = vectors[0]?.length ?? 0;
  const classes = new Map<string, number[]>();
  for (let column = 0; column < columns; column += 1) {
    const name = vectors.map((row) => row[column]).join();
    classes.set(name, [...(classes.get(name) ?? []), column]);
  }
  // People who were in the same releases have the same coefficient in every combination.
  const groups = [...classes.values()].filter((members) => members.length < k);
  const isIsolated = (chosen: readonly number[]) => {
    const rest = vectors.map((row) => row.filter((_, column) => !chosen.includes(column)));
    return rankOf(rest) < whole;
  };
  let fewest = Number.POSITIVE_INFINITY;
  const choose = (from: number, chosen: readonly number[]): void => {
    if (chosen.length >= k) return;
    if (chosen.length > 0 && isIsolated(chosen)) fewest = Math.min(fewest, chosen.length);
    for (let next = from; next < groups.length; next += 1) choose(next + 1, [...chosen, ...(groups[next] ?? [])]);
  };
  choose(0, []);
  return fewest;
}

function indicators(releases: readonly string[][], isKnown: (contribution: string) => boolean): number[][] {
  const ids = [...new Set(releases.flat())].filter((id) => !isKnown(id));
  return releases.map((members) => ids.map((id) => (members.includes(id) ? 1 : 0)));
}

describe("no combination of released totals depends on fewer people than a release brings", () => {
  test("in a scope of one partner", () => {
    fc.assert(
      fc.property(anySequence, (sequence) => {
        const releases = releasesOf(sequence, false);
        expect(fewestIsolated(indicators(releases, () => false))).toBeGreaterThanOrEqual(k);
      }),
      { numRuns: 300 },
    );
  });

  test("in one of all partners, even for a partner that knows its own people", () => {
    fc.assert(
      fc.property(anySequence, fc.constantFrom(...partners), (sequence, own) => {
        const releases = releasesOf(sequence, true);
        const isOwn = (id: string) => partnerOf(Number(id.split(" ")[0])) === own;
        expect(fewestIsolated(indicators(releases, isOwn))).toBeGreaterThanOrEqual(k);
      }),
      { numRuns: 300 },
    );
  });

  test("and the sequences do release, and a rule of one person less does isolate fewer", () => {
    const lax = (sequence: readonly { op: string; who: number }[]) => {
      const members: string[] = [];
      const releases: string[][] = [];
      for (const { who } of sequence) {
        if (!members.includes(`${who}`)) members.push(`${who}`);
        if (members.length >= 2 * k) releases.push([...members]);
      }
      return fewestIsolated(indicators(releases, () => false));
    };
    const samples = fc.sample(anySequence, { numRuns: 100, seed: 1 });
    expect(samples.filter((sequence) => releasesOf(sequence, false).length > 1).length).toBeGreaterThan(20);
    expect(samples.some((sequence) => lax(sequence) === 1)).toBe(true);
  });
});

describe("numbers are withheld", () => {
  const state = { live: 100, fresh: 100, freshOfLargest: 0, isReleased: false, removedAt: null };
  const rule = { fresh: 20, live: 100 };

  test("while there are too few, while they wait, and when they are withdrawn", () => {
    expect(withheldOf({ ...state, live: 99 }, rule, 0)).toBe("too_few");
    expect(withheldOf(state, rule, 0)).toBe("waiting");
    const removed = { ...state, isReleased: true, removedAt: new Date(0) };
    expect(withheldOf(removed, rule, withdrawalMs - 1)).toBeNull();
    expect(withheldOf(removed, rule, withdrawalMs)).toBe("withdrawn");
  });

  test("exactly from 30 days on, and only if they were released", () => {
    expect(isWithdrawn({ isReleased: true, removedAt: new Date(5) }, 5 + withdrawalMs)).toBe(true);
    expect(isWithdrawn({ isReleased: false, removedAt: new Date(5) }, 5 + withdrawalMs)).toBe(false);
    expect(isWithdrawn({ isReleased: true, removedAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  test("exactly below the least numbers", () => {
    expect(mayRelease(state, rule)).toBe(true);
    expect(mayRelease({ ...state, live: 99 }, rule)).toBe(false);
    expect(mayRelease({ ...state, fresh: 19 }, rule)).toBe(false);
    expect(mayRelease({ ...state, fresh: 40, freshOfLargest: 21 }, rule)).toBe(false);
    expect(mayRelease({ ...state, fresh: 40, freshOfLargest: 20 }, rule)).toBe(true);
  });
});
