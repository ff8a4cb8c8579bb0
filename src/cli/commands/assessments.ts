// Commands for instruments.
import type { Command } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

/** Declares `pas assessment …` and `pas score`. */
export function addAssessmentCommands(pas: Command, open: OpenContext): void {
  const assessment = pas.command("assessment").description("instruments and their versions");
  assessment
    .command("check")
    .description("check a definition and name all of its faults")
    .argument("<file>", "definition of an instrument, as JSON")
    .action(async (file) => (await import("../assessments.ts")).checkFile(open(), file));
  assessment
    .command("publish")
    .description("make a definition the published version of its product")
    .argument("<file>", "definition of an instrument, as JSON")
    .action(async (file) => (await import("../assessments.ts")).publishFile(open(), file));
  assessment
    .command("list")
    .description("list the published versions")
    .action(async () => (await import("../assessments.ts")).listVersions(open()));

  pas
    .command("score")
    .description("score answers offline, by the same code as the service")
    .requiredOption("--assessment <file>", "definition of the instrument, as JSON")
    .requiredOption("--answers <file>", 'what the service is sent: {"answers": […]}')
    .option("--explain", "print {results, explanation} in place of the results")
    .action(async (options) => (await import("../score.ts")).scoreFile(open(), options));
}
