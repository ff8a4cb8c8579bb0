// Texts that may be in another language than the report.
import { html, type SafeHtml } from "@remix-run/html-template";
import { directionOf } from "../../../../kernel/presentation/phrases.ts";
import type { Worded } from "../report-model.ts";

/** Attributes of an element with such a text; none where the language is the report's. */
export function wordedIn({ language }: Worded, report: string): SafeHtml | "" {
  return language === report ? "" : html` lang="${language}" dir="${directionOf(language)}"`;
}
