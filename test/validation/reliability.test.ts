// Alpha, item-rest correlation, Feldt's interval and omega, held to R: psych::alpha and stats::factanal.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { codebookColumns } from "../../src/products/values-bridge/definition/codebook.ts";
import { toShortForm } from "../../src/products/values-bridge/definition/forms.ts";
import {
  computeOmega,
  computeReliability,
  covarianceMatrix,
  oneFactor,
} from "../../src/products/values-bridge/norms/statistics/reliability.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const script = `
suppressMessages(library(psych))
options(digits = 17)
rows <- as.matrix(read.table(file("stdin")))
a <- suppressWarnings(suppressMessages(psych::alpha(rows, warnings = FALSE)))
f <- factanal(covmat = cov(rows), factors = 1, n.obs = nrow(rows), control = list(nstart = 5, opt = list(factr = 1e-2, maxit = 5000)))
sds <- apply(rows, 2, sd)
l <- abs(f$loadings[, 1]) * sds
psi <- f$uniquenesses * sds^2
n <- nrow(rows); k <- ncol(rows)
alpha <- a$total$raw_alpha
q <- c(qf(.975, n - 1, (n - 1) * (k - 1)), qf(.025, n - 1, (n - 1) * (k - 1)))
cat(format(c(alpha, a$item.stats$r.drop, a$alpha.drop$raw_alpha, 1 - (1 - alpha) * q,
  sum(l)^2 / (sum(l)^2 + sum(psi))), digits = 15), "\\n")
`;

/** Ratings of people with one factor, the same in every run. */
function ratings(people: number, seed: number): number[][] {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / (2 ** 32 + 1);
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const loadings = [0.9, 0.7, 1.1, 0.6];
  return Array.from({ length: people }, () => {
    const factor = normal();
    return loadings.map((l) => Math.min(6, Math.max(0, Math.round(3.2 + l * factor + 1.1 * normal()))));
  });
}

function ours(rows: readonly number[][]): number[] {
  const sums = [0, 0, 0, 0];
  const products = sums.map(() => [0, 0, 0, 0]);
  for (const row of rows) {
    row.forEach((one, i) => {
      sums[i] = (sums[i] ?? 0) + one;
      row.forEach((other, j) => {
        products[i]?.splice(j, 1, (products[i]?.[j] ?? 0) + one * other);
      });
    });
  }
  const matrix = covarianceMatrix({ n: rows.length, sums, products });
  const { alpha, itemRest, alphaIfDropped, feldt95 } = computeReliability(matrix, rows.length);
  const model = oneFactor(matrix);
  const omega = model === null ? null : computeOmega(model, [1, 1, 1, 1]);
  return [alpha, ...itemRest, ...alphaIfDropped, ...(feldt95 ?? []), omega].map(Number);
}

const omegaPlace = 11;

test.each([1, 2, 3, 4])("reliability and omega of 250 people (sample %i) are those of R", (seed) => {
  const rows = ratings(250, seed);
  const found = ours(rows);
  expect(found.every(Number.isFinite)).toBe(true);
  const input = rows.map((row) => row.join(" ")).join("\n");
  const { stdout, stderr } = spawnSync("Rscript", ["-e", script], { input, encoding: "utf8" });
  const expected = stdout.trim().split(/\s+/).map(Number);
  expect(expected.length, stderr).toBe(found.length);
  expected.forEach((value, place) => {
    const tolerance = place === omegaPlace ? 1e-5 : 1e-6;
    expect(Math.abs((found[place] ?? Number.NaN) - value), `place ${place}`).toBeLessThan(tolerance);
  });
});

/** Stops unless the power is that of two statements. */
const powerScript = `
for (name in c("gates", "power", "read", "scores", "cores", "reliability")) source(file.path("tools/validation/r", paste0(name, ".R")))
items <- read_items(jsonlite::fromJSON(file("stdin"), simplifyVector = FALSE))
set.seed(1)
study <- list(items = items, keyed = matrix(0, 200, nrow(items)), values = data.frame(id = numeric(0)))
stopifnot(identical(reliability_figures(study, 2)$power, alpha_power(200, 2)))`;

test("the power of a short form's alphas is that of two statements a value", () => {
  const short = toShortForm(longForm());
  if (short === undefined) throw new Error("there is no short form");
  const input = JSON.stringify({ columns: codebookColumns(short, 1_000_001) });
  expect(spawnSync("Rscript", ["-e", powerScript], { input, encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});
