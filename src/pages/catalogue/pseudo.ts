// A language for testing: the English texts as a language that is written from right to left would show them.
import { turnedCatalogue } from "../../kernel/presentation/phrases.ts";
import { english } from "./english.ts";
import type { Catalogue } from "./texts.ts";

/** It is chosen by nobody who does not ask for it. */
export const pseudoRightToLeft: Catalogue = turnedCatalogue(english);
