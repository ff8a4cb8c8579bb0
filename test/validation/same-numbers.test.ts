// Alpha and omega of the kit are those of psych.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { places, type Study, seededStudy } from "../../tools/validation/seeded/study.ts";
import { type Measure, read } from "./support/found.ts";
import { validated } from "./support/kit.ts";

const study = seededStudy({ ...pilot, people: 400, again: 0, careless: 0 });
const ratings = ratingsOf(study);

const byPsych = `
suppressMessages(library(psych))
rows <- as.matrix(read.table(file("stdin")))
a <- suppressWarnings(suppressMessages(psych::alpha(rows, warnings = FALSE)))$total$raw_alpha
f <- suppressWarnings(psych::fa(rows, nfactors = 1, fm = "ml"))
sds <- apply(rows, 2, sd)
l <- f$loadings[, 1] * sds
cat(format(c(a, sum(l)^2 / (sum(l)^2 + sum(f$uniquenesses * sds^2))), digits = 15))
`;

test("alpha and omega are those of psych, to 1e-4", () => {
  expect(answersOf({ value: 1, measure: "gap", statements: "forward" })[0]).toHaveLength(3);
  const { measures } = read(validated(study, { only: ["reliability"] }).json).reliability;
  // One of each measure and choice of statements.
  for (const found of measures.filter(({ value }) => value === 7)) {
    const input = answersOf(found).map((row) => row.join(" "));
    const { stdout, stderr } = spawnSync("Rscript", ["-e", byPsych], { input: input.join("\n"), encoding: "utf8" });
    const [alpha, omega] = stdout.trim().split(/\s+/).map(Number);
    expect(Math.abs(found.alpha - Number(alpha)), stderr).toBeLessThan(1e-4);
    expect(Math.abs(found.omega - Number(omega)), stderr).toBeLessThan(1e-4);
  }
});

/** Keyed ratings, a row a person, in the order of the questions. */
function ratingsOf({ csv }: Study): number[][] {
  const [head = "", ...rows] = csv.trim().split("\r\n");
  const from = head.split(",").indexOf("q001");
  return rows.map((row) => {
    const cells = row.split(",").slice(from, from + places.length);
    return cells.map((cell, index) => (places[index]?.inverse ? 8 - Number(cell) : Number(cell)));
  });
}

function answersOf({ value, measure, statements }: Pick<Measure, "value" | "measure" | "statements">): number[][] {
  const of = (life: "ideal" | "current") =>
    places
      .map((place, index) => ({ ...place, index }))
      .filter((place) => place.value === value - 1 && place.life === life)
      .filter(({ inverse }) => statements === "all" || !inverse)
      .toSorted((a, b) => a.statement - b.statement)
      .map(({ index }) => index);
  const [ideal, current] = [of("ideal"), of("current")];
  return ratings.map((row) =>
    ideal.map((place, index) => {
      const [wanted, lived] = [row[place] ?? 0, row[current[index] ?? 0] ?? 0];
      return measure === "gap" ? wanted - lived : measure === "ideal" ? wanted : lived;
    }),
  );
}
