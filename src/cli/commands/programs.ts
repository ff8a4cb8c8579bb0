// Commands with options of kinds that the table does not have.
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { papers, pictureNames, reportFormats } from "../../products/product.ts";
import type { OpenContext } from "../command.ts";
import { roles } from "../serving/role.ts";

const maxWorkers = 128;

export function addServe(pas: Command, open: OpenContext): void {
  const role = new Option("--role <role>", "what this process does").choices(roles);
  const core = new Option("--core <url>", "address of the core, for the role gateway: http://core:50051");
  pas
    .command("serve")
    .description("runs the service until a signal stops it")
    .addOption(role.default("all" as const))
    .addOption(core.argParser(parseHttpUrl))
    .option("--workers <n>", `processes that share the ports, 1 to ${maxWorkers}`, parseWorkers, 1)
    .action(async (options) => (await import("../serving/serve.ts")).serve(open(), options));
}

const definitionFile = ["--assessment <file>", "definition of the instrument, as JSON"] as const;
const answersFile = ["--answers <file>", 'what the service is sent: {"answers": […]}'] as const;

export function addScore(pas: Command, open: OpenContext): void {
  pas
    .command("score")
    .description("scores answers offline, by the same code as the service")
    .requiredOption(...definitionFile)
    .requiredOption(...answersFile)
    .option("--explain", "print {results, explanation} in place of the results")
    .option("--quality", "print {results, quality}; with --explain all three")
    .action(async (options) => (await import("../assessments/assessments.ts")).scoreAnswersFile(open(), options));
}

export function addReport(pas: Command, open: OpenContext): void {
  const format = new Option("--format <format>", "what to write").choices(reportFormats).makeOptionMandatory();
  const picture = new Option("--picture <picture>", "of svg and png; of pdf the poster").choices(pictureNames);
  const paper = new Option("--paper <paper>", "of pdf and of the poster").choices(papers);
  pas
    .command("report")
    .description("writes the report on answers offline, by the same code as the service")
    .requiredOption(...definitionFile)
    .requiredOption(...answersFile)
    .addOption(format)
    .addOption(picture.default("circle" as const))
    .addOption(paper.default("a4" as const))
    .option("--locale <tag>", "language of the report as a BCP 47 tag: de")
    .option("--name <name>", "whose report it is; stands on it")
    .option("--date <day>", "day that stands on the report: 2026-11-23")
    .option("--support <text>", "where to turn if it weighs on somebody, in your words")
    .option("--out <file>", "file to write, in place of stdout")
    .action(async (options) => (await import("../assessments/report.ts")).renderReportFile(open(), options));
}

function parseHttpUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url.href;
  throw new InvalidArgumentError("It must be a URL such as http://core:50051, or https://core:50051 with TLS.");
}

function parseWorkers(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= maxWorkers) return count;
  throw new InvalidArgumentError(`It must be 1 to ${maxWorkers}.`);
}
