// The studies of made-up people that the documentation shows and that tests use.
import { clearCircle, type SeededFault } from "./people.ts";
import type { StudyPlan } from "./study.ts";

/** Everything as the theory has it: enough people for every section, and some who did not read. */
export const pilot: StudyPlan = {
  model: clearCircle,
  seed: 1,
  people: 2000,
  again: 300,
  careless: 50,
  languages: ["en", "de"],
};

/** Indices of values and statements that do not work in the example: each leaves a mark of its own on the page. */
export const exampleFaults = {
  /** Says nothing of its value: low item-rest. */
  empty: { value: 6, statement: 1, loading: 0.1 },
  /** Is about a neighbour: a higher foreign correlation, and a factor that is not its own. */
  elsewhere: { value: 12, statement: 1, of: 14 },
  /** Everybody agrees: more than half at one end. */
  agreed: { value: 15, statement: 0, life: "ideal", shift: 1.8 },
  /** Easier to agree to in German: unequal intercepts. */
  translated: { value: 9, statement: 2, language: "de", shift: 0.9 },
  /** Measures less well in the life of today: unequal loadings. */
  today: { value: 1, statement: 0, life: "current", loading: 0.2 },
} as const satisfies Readonly<Record<string, SeededFault>>;

/** As many as finish a pilot, with faults as real ones have them: what the documentation shows, and rehearsals. */
export const example: StudyPlan = {
  model: {
    ...clearCircle,
    circle: 0.4,
    loadings: [0.75, 0.65, 0.7, 0.5],
    swapped: [9, 10],
    agreement: 0.4,
    faults: Object.values(exampleFaults),
  },
  seed: 3,
  people: 640,
  again: 320,
  careless: 40,
  languages: ["en", "de"],
};
