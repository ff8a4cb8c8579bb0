// Commands that run the service.
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

const maxWorkers = 128;

/** Declares `pas serve`, `pas migrate` and `pas demo`. */
export function addServiceCommands(pas: Command, open: OpenContext): void {
  const roles = ["all", "core", "gateway"] as const;
  const role = new Option("--role <role>", "what this process does").choices(roles).default("all" as const);
  pas
    .command("serve")
    .description("run the service until a signal stops it")
    .addOption(role)
    .option("--core <url>", "address of the core, for the role gateway: http://core:50051", httpUrl)
    .option("--workers <n>", `processes that share the ports, 1 to ${maxWorkers}`, workers, 1)
    .action(async (options) => (await import("../serve.ts")).serve(open(), options));

  pas
    .command("migrate")
    .description("bring the database schema and the built-in instrument up to date")
    .action(async () => (await import("../migrate.ts")).migrateAndPublish(open()));

  pas
    .command("demo")
    .description("play one whole assessment against the running service, and show its results")
    .action(async () => (await import("../demo.ts")).playDemo(open()));
}

function httpUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new InvalidArgumentError("It must be like http://core:50051.");
}

function workers(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= maxWorkers) return count;
  throw new InvalidArgumentError(`It must be 1 to ${maxWorkers}.`);
}
