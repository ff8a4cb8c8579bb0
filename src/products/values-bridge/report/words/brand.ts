// What stands for a partner at the head of a report.
import { cleanName, type ReportBranding } from "../branding.ts";
import { reportLanguageFor } from "./language.ts";

/** The partner's name, else neutral words. @param language BCP 47 tag of the report */
export function brandWords({ displayName }: Pick<ReportBranding, "displayName">, language: string): string {
  return cleanName(displayName) ?? reportLanguageFor([language]).texts.neutralHead;
}
