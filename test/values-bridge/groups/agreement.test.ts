// Agreement and intervals of group numbers, held to published figures and to R.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { icc1, meanHalfWidth, momentsOf, rwg, squaredT } from "../../../src/products/values-bridge/groups/agreement.ts";
import { normal, randomOf } from "../../support/values-bridge/simulated-people.ts";

/** Ratings of six targets by four judges (Shrout and Fleiss 1979, table 2). */
const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
];

test("ICC(1) of the published table is the published one, .17 of mean squares 11.24 and 6.26", () => {
  expect(icc1(shroutFleiss)).toBeCloseTo((11.2417 - 6.2639) / (11.2417 + 3 * 6.2639), 4);
});

test("ICC(1) has the mean size of classes for k where they differ in size", () => {
  // Means 4, 6.5 and 5.5 of all.
  const classes = [
    [3, 5],
    [6, 6, 7.5],
  ];
  const [msb, msw] = [2 * 1.5 ** 2 + 3 * 1 ** 2, (2 + 1.5) / 3];
  expect(icc1(classes)).toBeCloseTo((msb - msw) / (msb + 1.5 * msw), 12);
});

test("ICC(1) is null where nothing varies and where no class has two ratings, and may be below 0", () => {
  expect(icc1([[1, 1], [1]])).toBeNull();
  expect(icc1([[1], [2], [3]])).toBeNull();
  expect(
    icc1([
      [1, 3],
      [3, 1],
    ]),
  ).toBe(-1);
});

test("r_wg is 1 without variance, .5 at half of that of the uniform distribution, and never below 0", () => {
  expect(rwg(0, 100)).toBe(1);
  expect(rwg(100 ** 2 / 24, 100)).toBeCloseTo(0.5, 12);
  expect(rwg(2500, 100)).toBe(0);
});

test("the half width of five members is t(4, .975) = 2.776445 standard errors", () => {
  expect(meanHalfWidth(5, 5, squaredT(5))).toBeCloseTo(2.776445, 6);
  expect(meanHalfWidth(30, 30, squaredT(30))).toBeCloseTo(2.04523, 5);
});

// The functions of R's package `multilevel` (GPL), written from its documentation where the package is not there.
const script = `
rows <- read.table(file("stdin"), col.names = c("member", "rating", "score"))
rows$member <- factor(rows$member)
icc1 <- function(a) { m <- summary(a)[[1]]; b <- m[1, 3]; w <- m[2, 3]; k <- (m[2, 1] + m[1, 1] + 1) / (m[1, 1] + 1); (b - w) / (b + (k - 1) * w) }
rwg <- function(x, null) { v <- var(x); if (v > null) 0 else 1 - v / null }
s <- rows$score[!duplicated(rows$member)]
ci <- t.test(s)$conf.int
cat(format(c(icc1(aov(rating ~ member, rows)), rwg(s, 100^2 / 12), mean(s), sd(s), ci[1], ci[2]), digits = 15), "\\n")
`;
const isThere = spawnSync("Rscript", ["-e", "1"]).status === 0;
if (!isThere) console.warn("\n*** R is not here: agreement of groups is NOT held to R. ***\n");

test.each([1, 2, 3, 4, 5])("agreement and interval of a random group (%i) are those of R to 1e-4", (seed) => {
  const random = randomOf(seed);
  const members = Array.from({ length: 4 + seed * seed }, () => {
    const level = 60 + 15 * normal(random);
    // Some have left statements out: classes differ in size.
    return Array.from({ length: 2 + Math.floor(3 * random()) }, () => level + 12 * normal(random));
  });
  const scores = members.map((statements) => momentsOf(statements).mean);
  const { mean, variance } = momentsOf(scores);
  const half = meanHalfWidth(variance, scores.length, squaredT(scores.length));
  const ours = [icc1(members), rwg(variance, 100), mean, Math.sqrt(variance), mean - half, mean + half].map(Number);
  expect(ours.every(Number.isFinite)).toBe(true);
  if (!isThere) return;
  const input = members
    .flatMap((each, index) => each.map((rating) => `${index} ${rating} ${scores[index]}`))
    .join("\n");
  const { stdout, stderr } = spawnSync("Rscript", ["-e", script], { input, encoding: "utf8" });
  const expected = stdout.trim().split(/\s+/).map(Number);
  expect(expected.length, stderr).toBe(ours.length);
  expected.forEach((value, place) => {
    expect(Math.abs((ours[place] ?? Number.NaN) - value), `place ${place}`).toBeLessThan(1e-4);
  });
});
