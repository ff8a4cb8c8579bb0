// The table of faults. Each was put in once and left every test green, before the test named here was written.
import { domainMutants } from "./domain.ts";
import type { Mutant } from "./mutant.ts";
import { storeMutants } from "./store.ts";

export const mutants: readonly Mutant[] = [...domainMutants, ...storeMutants];
