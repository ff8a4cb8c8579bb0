// Commands that run the service.
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

const maxWorkers = 128;
const maxProcesses = 10_000;

/** Declares `pas serve`, `pas migrate`, `pas doctor` and `pas demo`. */
export function addServiceCommands(pas: Command, open: OpenContext): void {
  const roles = ["all", "core", "gateway", "deliver"] as const;
  const role = (about: string) => new Option("--role <role>", about).choices(roles).default("all" as const);
  const core = () =>
    new Option("--core <url>", "address of the core, for the role gateway: http://core:50051").argParser(httpUrl);
  pas
    .command("serve")
    .description("runs the service until a signal stops it")
    .addOption(role("what this process does"))
    .addOption(core())
    .option("--workers <n>", `processes that share the ports, 1 to ${maxWorkers}`, integer(maxWorkers), 1)
    .action(async (options) => (await import("../serving/serve.ts")).serve(open(), options));

  pas
    .command("migrate")
    .description("brings the database schema and the built-in instrument up to date")
    .action(async () => (await import("../migrate.ts")).migrateAndPublish(open()));

  pas
    .command("doctor")
    .description("checks whether the service can run here as it is configured; the exit code is 1 if it cannot")
    .addOption(role("what the process does that is to run here"))
    .addOption(core())
    .option("--processes <n>", "processes of the service, on all machines together", integer(maxProcesses), 1)
    .action(async (options) => (await import("../doctor/doctor.ts")).examine(open(), options));

  pas
    .command("demo")
    .description(
      "plays one whole assessment against the running service, and shows its results, its webhooks and the address of the report",
    )
    .option("--watch", "show requests, webhooks, events and the report on a page of this machine, as they come")
    .action(async (options) => (await import("../demo/demo.ts")).playDemo(open(), options));
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url.href;
  throw new InvalidArgumentError("It must be a URL such as http://core:50051, or https://core:50051 with TLS.");
}

function integer(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`It must be 1 to ${most}.`);
  };
}
