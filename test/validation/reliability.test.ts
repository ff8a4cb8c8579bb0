// The kit's figures on reliability.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { listCodebookColumns } from "../../src/products/values-bridge/definition/codebook.ts";
import { toShortForm } from "../../src/products/values-bridge/definition/forms.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

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
  const input = JSON.stringify({ columns: listCodebookColumns(short, 1_000_001) });
  expect(spawnSync("Rscript", ["-e", powerScript], { input, encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});
