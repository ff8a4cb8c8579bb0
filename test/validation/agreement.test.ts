// Agreement and intervals of random groups, held to R.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { icc1, meanHalfWidth, momentsOf, rwg } from "../../src/products/values-bridge/groups/agreement.ts";
import { criticalT } from "../../src/products/values-bridge/quality/statistics.ts";
import { normal, randomOf } from "../support/values-bridge/simulated-people.ts";

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
test.each([1, 2, 3, 4, 5])("agreement and interval of a random group (%i) are those of R to 1e-4", (seed) => {
  const random = randomOf(seed);
  const members = Array.from({ length: 4 + seed * seed }, () => {
    const level = 60 + 15 * normal(random);
    // Some have left statements out: classes differ in size.
    return Array.from({ length: 2 + Math.floor(3 * random()) }, () => level + 12 * normal(random));
  });
  const scores = members.map((statements) => momentsOf(statements).mean);
  const { mean, variance } = momentsOf(scores);
  const half = meanHalfWidth(variance, scores.length, criticalT(scores.length - 1), []);
  const ours = [icc1(members), rwg(variance, 100), mean, Math.sqrt(variance), mean - half, mean + half].map(Number);
  expect(ours.every(Number.isFinite)).toBe(true);
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
