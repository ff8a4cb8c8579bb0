// Commands for who may call.
import type { Command } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";

/** Declares `pas partner …` and `pas client …`. */
export function addPartnerCommands(pas: Command, open: OpenContext): void {
  const partner = pas.command("partner").description("partners, and how their hosted pages look");
  partner
    .command("create")
    .description("add a partner")
    .requiredOption("--name <name>", "what it is called")
    .option("--internal", "whether its clients may hold internal scopes")
    .action(async (options) => (await import("../partners.ts")).addPartner(open(), options));
  partner
    .command("list")
    .description("list the partners, oldest first")
    .action(async () => (await import("../partner-lists.ts")).showPartners(open()));
  partner
    .command("show")
    .description("show a partner, how its hosted pages look, and its clients")
    .argument("<id>", "id of the partner")
    .action(async (id) => (await import("../partner-lists.ts")).showPartner(open(), id));
  partner
    .command("brand")
    .description("show or change how a partner's hosted pages look; an empty value removes what was set")
    .argument("<id>", "id of the partner")
    .option("--name <name>", "what the pages call the partner")
    .option("--logo <url>", "https address of its logo")
    .option("--accent <colour>", "colour of buttons and links, as #rrggbb")
    .action(async (id, options) => (await import("../branding.ts")).brandPartner(open(), id, options));

  const client = pas.command("client").description("clients of partners: their credentials and scopes");
  client
    .command("create")
    .description("add a client; its secret is printed once")
    .requiredOption("--partner <id>", "id of the partner that it calls for")
    .requiredOption("--name <name>", "what it is called")
    .requiredOption("--scopes <scopes>", 'what it may do, separated by spaces: "sessions:write results:read"')
    .action(async (options) => (await import("../partners.ts")).addClient(open(), options));
  client
    .command("list")
    .description("list the clients of a partner with their scopes, and when their secrets were made")
    .requiredOption("--partner <id>", "id of the partner")
    .action(async (options) => (await import("../partner-lists.ts")).showClients(open(), options));
  client
    .command("rotate")
    .description("give a client a further secret; of three the oldest ends")
    .argument("<id>", "id of the client")
    .action(async (id) => (await import("../partners.ts")).rotateSecret(open(), id));
  client
    .command("disable")
    .description("end a client and its tokens")
    .argument("<id>", "id of the client")
    .action(async (id) => (await import("../partners.ts")).endClient(open(), id));
}
