// Agreement and intervals of random groups, held to R.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { computeMeanHalfWidth, computeMoments, computeRwg } from "../../src/products/values-bridge/groups/agreement.ts";
import { findCriticalT } from "../../src/products/values-bridge/quality/statistics.ts";
import { normal, randomOf } from "../support/values-bridge/simulated-people.ts";

// The functions of R's package `multilevel` (GPL), written from its documentation where the package is not there.
const script = `
s <- scan(file("stdin"), quiet = TRUE)
rwg <- function(x, null) { v <- var(x); if (v > null) 0 else 1 - v / null }
ci <- t.test(s)$conf.int
cat(format(c(rwg(s, 100^2 / 12), mean(s), sd(s), ci[1], ci[2]), digits = 15), "\\n")
`;
test.each([1, 2, 3, 4, 5])("agreement and interval of a random group (%i) are those of R to 1e-4", (seed) => {
  const random = randomOf(seed);
  const scores = Array.from({ length: 4 + seed * seed }, () => 60 + 15 * normal(random));
  const { mean, variance } = computeMoments(scores);
  const half = computeMeanHalfWidth(variance, scores.length, findCriticalT(scores.length - 1), []);
  const ours = [computeRwg(variance, 100), mean, Math.sqrt(variance), mean - half, mean + half];
  const { stdout, stderr } = spawnSync("Rscript", ["-e", script], { input: scores.join("\n"), encoding: "utf8" });
  const expected = stdout.trim().split(/\s+/).map(Number);
  expect(expected.length, stderr).toBe(ours.length);
  expected.forEach((value, place) => {
    expect(Math.abs((ours[place] ?? Number.NaN) - value), `place ${place}`).toBeLessThan(1e-4);
  });
});
