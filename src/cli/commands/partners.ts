// Commands for who may call.
import { type Command, Option } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";
import { day, time, uuid } from "./values.ts";

/** Declares `pas partner …`, `pas usage` and `pas client …`. */
export function addPartnerCommands(pas: Command, open: OpenContext): void {
  const partner = pas.command("partner").description("partners, and how their hosted pages look");
  partner
    .command("create")
    .description("add a partner")
    .requiredOption("--name <name>", "what it is called")
    .option("--internal", "whether its clients may hold internal scopes")
    .action(async (options) => (await import("../partners/partners.ts")).addPartner(open(), options));
  partner
    .command("twin")
    .description("give a partner a test twin, whose clients reach test data only; the same one again if it has one")
    .argument("<id>", "id of the partner")
    .action(async (id) => (await import("../partners/partners.ts")).addTestTwin(open(), id));
  partner
    .command("clock")
    .description("show or move the clock of a test twin, which its sessions go by")
    .argument("<id>", "id of the test twin")
    .addOption(new Option("--now <time>", "what it shall say; it goes on from there").argParser(time))
    .addOption(new Option("--real", "go back to the time of everybody").conflicts("now"))
    .action(async (id, options) =>
      (await import("../partners/partner-settings.ts")).showTestClock(open(), id, options),
    );
  partner
    .command("list")
    .description("list the partners, oldest first")
    .action(async () => (await import("../partners/partner-lists.ts")).showPartners(open()));
  partner
    .command("show")
    .description("show a partner, how its hosted pages look, and its clients")
    .argument("<id>", "id of the partner")
    .action(async (id) => (await import("../partners/partner-lists.ts")).showPartner(open(), id));
  partner
    .command("brand")
    .description("show or change how a partner's hosted pages and reports look; an empty value removes what was set")
    .argument("<id>", "id of the partner")
    .option("--name <name>", "what the pages call the partner")
    .option(
      "--logo <url>",
      "https or data: address of its logo; PDF and PNG draw a data: URL of a PNG or JPEG, else the name",
    )
    .option("--accent <colour>", "colour of buttons and links, as #rrggbb")
    .option("--support <text>", "where people can turn if their results weigh on them, in the partner's words")
    .option("--frames <origins>", 'sites that may show the pages in a frame, separated by spaces: "https://a.example"')
    .action(async (id, options) => (await import("../partners/partner-settings.ts")).brandPartner(open(), id, options));

  partner
    .command("norms")
    .description("show or change whether a partner's people count for norms of all partners")
    .argument("<id>", "id of the partner")
    .addOption(onOrOff("--pool <on|off>", "whether the partner wants it; its hosted pages then tell people"))
    .addOption(onOrOff("--excluded <on|off>", "whether you leave the partner out all the same"))
    .action(async (id, options) =>
      (await import("../partners/partner-settings.ts")).showParticipation(open(), id, options),
    );

  pas
    .command("usage")
    .description("show how many sessions partners had, a line for each day, partner and mode")
    .option("--partner <id>", "only those of the partner; without it all but test twins", uuid)
    .option("--from <day>", "first day in UTC, as 2026-11-21; 30 days unless given", day)
    .option("--until <day>", "the day after the last; tomorrow unless given", day)
    .action(async (options) => (await import("../partners/usage.ts")).showUsage(open(), options));

  const client = pas.command("client").description("clients of partners: their credentials and scopes");
  client
    .command("create")
    .description("add a client; its secret is printed once")
    .requiredOption("--partner <id>", "id of the partner that it calls for")
    .requiredOption("--name <name>", "what it is called")
    .requiredOption("--scopes <scopes>", 'what it may do, separated by spaces: "sessions:write results:read"')
    .action(async (options) => (await import("../partners/partners.ts")).addClient(open(), options));
  client
    .command("list")
    .description(
      "list the clients of a partner with their scopes, when their secrets were made and when they last called",
    )
    .requiredOption("--partner <id>", "id of the partner")
    .action(async (options) => (await import("../partners/partner-lists.ts")).showClients(open(), options));
  client
    .command("rotate")
    .description("give a client a further secret; of three the oldest ends")
    .argument("<id>", "id of the client")
    .action(async (id) => (await import("../partners/partners.ts")).rotateSecret(open(), id));
  client
    .command("disable")
    .description("end a client and its tokens")
    .argument("<id>", "id of the client")
    .action(async (id) => (await import("../partners/partners.ts")).endClient(open(), id));
}

function onOrOff<Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).choices(["on", "off"] as const);
}
