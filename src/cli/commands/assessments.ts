// Commands for instruments.
import { type Command, Option } from "@commander-js/extra-typings";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { papers, pictureNames, reportFormats } from "../../products/product.ts";
import type { OpenContext } from "../command.ts";
import { addRpcCommands, type Comments } from "../rpc-commands.ts";

/** Declares `pas assessment …`, `pas score` and `pas report`. */
export function addAssessmentCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const assessment = pas.command("assessment").description("instruments and their versions");
  assessment
    .command("check")
    .description("checks a definition and names all of its faults")
    .argument("<file>", "definition of an instrument, as JSON")
    .action(async (file) => (await import("../assessments/assessments.ts")).checkFile(open(), file));
  assessment
    .command("publish")
    .description("makes a definition the published version of its product")
    .argument("<file>", "definition of an instrument, as JSON")
    .action(async (file) => (await import("../assessments/assessments.ts")).publishFile(open(), file));
  addRpcCommands(pas, open, comments, [
    {
      name: "assessment list",
      about: "lists the published versions, the newest first",
      rpc: AssessmentService.method.listAssessmentVersions,
      missing: "no version is published; run `pas migrate`",
      shape: (version, { product }) => ({ product, ...version }),
      isArray: true,
    },
  ]);

  pas
    .command("score")
    .description("scores answers offline, by the same code as the service")
    .requiredOption("--assessment <file>", "definition of the instrument, as JSON")
    .requiredOption("--answers <file>", 'what the service is sent: {"answers": […]}')
    .option("--explain", "print {results, explanation} in place of the results")
    .option("--quality", "print {results, quality}; with --explain all three")
    .action(async (options) => (await import("../assessments/assessments.ts")).scoreFile(open(), options));

  const format = new Option("--format <format>", "what to write").choices(reportFormats).makeOptionMandatory();
  const picture = new Option("--picture <picture>", "of svg and png; of pdf the poster").choices(pictureNames);
  const paper = new Option("--paper <paper>", "of pdf").choices(papers);
  pas
    .command("report")
    .description("writes the report on results, as the service does")
    .argument("<file>", "what `pas score --explain` printed, or the service with explain=true&quality=true")
    .addOption(format)
    .addOption(picture.default("circle" as const))
    .addOption(paper.default("a4" as const))
    .option("--locale <tag>", "language of the report as a BCP 47 tag: de")
    .option("--name <name>", "whose report it is; stands on it")
    .option("--date <day>", "day that stands on the report: 2026-11-23")
    .option("--support <text>", "where to turn if it weighs on somebody, in your words")
    .option("--assessment <file>", "definition of the instrument, unless it is the built-in one")
    .option("--out <file>", "file to write, in place of stdout")
    .action(async (file, options) => (await import("../assessments/report.ts")).reportFile(open(), file, options));
}
