// Commands without an rpc: programs, and what concerns all partners or the service itself.
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { papers, pictureNames, reportFormats } from "../../products/product.ts";
import { roles } from "../serving/role.ts";
import type { TaskRow } from "./row.ts";

const maxWorkers = 128;

const answerFiles = [
  new Option("--assessment <file>", "definition of the instrument, as JSON").makeOptionMandatory(),
  new Option("--answers <file>", 'what the service is sent: {"answers": […]}').makeOptionMandatory(),
];

/** Tasks by their words. An operand is `<id>`, of a partner, or `<file>`, a definition. */
export const tasks: Readonly<Record<string, TaskRow>> = {
  serve: {
    about: "runs the service until a signal stops it",
    options: [
      new Option("--role <role>", "what this process does").choices(roles).default("all"),
      new Option("--core <url>", "address of the core, for the role gateway: http://core:50051").argParser(
        parseHttpUrl,
      ),
      new Option("--workers <n>", `processes that share the ports, 1 to ${maxWorkers}`)
        .argParser(parseWorkers)
        .default(1),
    ],
    load: async () => (await import("../serving/serve.ts")).serve,
  },
  migrate: {
    about: "brings the database schema and the built-in instrument up to date",
    load: async () => (await import("../migrate.ts")).migrateAndPublish,
  },
  doctor: {
    about:
      "checks whether the service can run here as it is configured, and whether one that runs is ready; the exit code is 1 if not",
    options: [new Option("--role <role>", "what the process does that is to run here").choices(roles).default("all")],
    load: async () => (await import("../doctor.ts")).checkInstallation,
  },
  demo: {
    about: "plays one whole assessment against the running service, and shows its results and its report",
    load: async () => (await import("../demo/demo.ts")).playDemo,
  },
  "partner norms <id>": {
    about: "shows or changes whether a partner's people count for norms of all partners",
    options: [
      new Option("--pool <on|off>", "whether they count; the partner's hosted pages then tell people").choices([
        "on",
        "off",
      ]),
    ],
    load: async () => (await import("../upkeep.ts")).changeParticipation,
  },
  "assessment check <file>": {
    about: "checks a definition and names its faults",
    load: async () => (await import("../assessments/assessments.ts")).checkDefinitionFile,
  },
  "assessment publish <file>": {
    about: "makes a definition the published version of its product",
    load: async () => (await import("../assessments/assessments.ts")).publishDefinitionFile,
  },
  score: {
    about: "scores answers offline, by the same code as the service",
    options: [
      ...answerFiles,
      new Option("--explain", "print {results, explanation} in place of the results"),
      new Option("--quality", "print {results, quality}; with --explain all three"),
    ],
    load: async () => (await import("../assessments/assessments.ts")).scoreAnswersFile,
  },
  report: {
    about: "writes the report on answers offline, by the same code as the service",
    options: [
      ...answerFiles,
      new Option("--format <format>", "what to write").choices(reportFormats).makeOptionMandatory(),
      new Option("--picture <picture>", "of svg and png; of pdf the poster").choices(pictureNames).default("circle"),
      new Option("--paper <paper>", "of pdf and of the poster").choices(papers).default("a4"),
      new Option("--locale <tag>", "language of the report as a BCP 47 tag: de"),
      new Option("--name <name>", "whose report it is; stands on it"),
      new Option("--date <day>", "day that stands on the report: 2026-11-23"),
      new Option("--support <text>", "where to turn if it weighs on somebody, in your words"),
      new Option("--out <file>", "file to write, in place of stdout"),
    ],
    load: async () => (await import("../assessments/report.ts")).renderReportFile,
  },
  "sessions rescore": {
    about: "scores the completed sessions whose scoring failed",
    load: async () => (await import("../upkeep.ts")).rescoreAll,
  },
  "events skip-ahead": {
    about: "after a restored backup or a lossy failover: leaves out 2^32 positions, so that none comes twice",
    load: async () => (await import("../upkeep.ts")).skipEventsAhead,
  },
  "webhooks reseal": {
    about: "seals all secrets with the first key of WEBHOOK_KEY, after a new one was put there",
    load: async () => (await import("../upkeep.ts")).resealWebhookSecrets,
  },
  "audit verify": {
    about: "reads the whole log, and finds records that were changed, removed or cut off",
    options: [new Option("--head <anchor...>", "anchors that the service has logged, which have to be there")],
    load: async () => (await import("../upkeep.ts")).verifyLog,
  },
  "norms compute": {
    about: "computes the norms of all partners now, as each night",
    load: async () => (await import("../upkeep.ts")).computeNormsNow,
  },
};

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
