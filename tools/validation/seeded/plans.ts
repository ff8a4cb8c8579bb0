// The studies of made-up people that the documentation shows and that tests use.
import { clearCircle } from "./people.ts";
import type { StudyPlan } from "./study.ts";

/** A pilot that went well: enough people for every section, and some who did not read. */
export const pilot: StudyPlan = {
  model: clearCircle,
  seed: 1,
  people: 2000,
  exact: false,
  again: 300,
  careless: 50,
  languages: ["en", "de"],
};
