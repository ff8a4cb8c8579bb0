// Commands for who may call.
import { type Command, Option } from "@commander-js/extra-typings";
import { Comparison } from "../../gen/assessment/v1/branding_pb.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { byWord } from "../../json/members.ts";
import type { OpenContext } from "../command.ts";
import {
  addRpcCommands,
  type Comments,
  changed,
  type Fields,
  pagesOf,
  type RpcCommand,
  type Running,
} from "../rpc-commands.ts";

const { method } = PartnerService;
const { getTestClock, setTestClock } = SandboxService.method;
const comparisons = byWord(Comparison);
const noClient = "there is no such client; `pas client list` shows those that there are";

const partnerRows: readonly RpcCommand[] = [
  { name: "partner create", rpc: method.createPartner, takes: "name! internal" },
  {
    name: "partner twin",
    rpc: method.createTestTwin,
    takes: "<partner_id>",
    shape: (json, { partnerId }) => ({ ...json, twinOf: partnerId }),
  },
  { name: "partner list", rpc: method.listPartners, isArray: true },
  {
    name: "partner show",
    about: "shows a partner, how its hosted pages look, and its clients",
    rpc: method.listClients,
    takes: "<partner_id>",
    run: showPartner,
  },
  {
    name: "partner brand",
    about: "shows or changes how a partner's hosted pages and reports look; an empty value removes what was set",
    rpc: method.updateBranding,
    takes:
      "<partner_id> name=branding.display_name logo=branding.logo_url accent=branding.accent_color " +
      "support=branding.support_text frames=branding.frame_ancestors comparison=branding.comparison",
    run: brandPartner,
  },
  {
    name: "partner clock",
    about: "shows or moves the clock of a test twin, which its sessions go by",
    rpc: setTestClock,
    partner: "argument",
    takes: "now",
    flags: { "--real": "go back to the time of everybody" },
    run: testClock,
  },
];

const clientRows: readonly RpcCommand[] = [
  {
    name: "usage",
    rpc: method.getUsage,
    takes: "partner=partner_id from until",
    run: printUsage,
  },
  { name: "client create", rpc: method.createClient, takes: "partner=partner_id! name! scopes!" },
  { name: "client list", rpc: method.listClients, takes: "partner=partner_id!", isArray: true },
  { name: "client rotate", rpc: method.rotateClientSecret, takes: "<client_id>", missing: noClient },
  {
    name: "client disable",
    rpc: method.disableClient,
    takes: "<client_id>",
    missing: noClient,
    shape: (_, { clientId }) => ({ clientId, disabled: true }),
  },
];

/** Declares `pas partner …`, `pas usage` and `pas client …`. */
export function addPartnerCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const partner = pas.command("partner").description("partners, and how their hosted pages look");
  addRpcCommands(pas, open, comments, partnerRows);
  partner
    .command("norms")
    .description("shows or changes whether a partner's people count for norms of all partners")
    .argument("<id>", "id of the partner")
    .addOption(onOrOff("--pool <on|off>", "whether the partner wants it; its hosted pages then tell people"))
    .addOption(onOrOff("--excluded <on|off>", "whether you leave the partner out all the same"))
    .action(async (id, options) => (await import("../upkeep.ts")).participation(open(), id, options));
  pas.command("client").description("clients of partners: their credentials and scopes");
  addRpcCommands(pas, open, comments, clientRows);
}

function onOrOff<Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).choices(["on", "off"] as const);
}

async function showPartner({ asked, call, print }: Running): Promise<void> {
  const clients = [];
  for await (const page of pagesOf(method.listClients, asked, call)) clients.push(...(page.clients as Fields[]));
  const { branding } = await call(asked, method.getBranding);
  for await (const { partners } of pagesOf(method.listPartners, {}, call)) {
    const found = (partners as Fields[]).find(({ partnerId }) => partnerId === String(asked.partnerId).toLowerCase());
    if (found !== undefined) return print({ ...found, branding, clients });
  }
}

async function brandPartner({ asked: { partnerId, branding: given }, call, print }: Running): Promise<void> {
  const { branding: stored } = await call({ partnerId }, method.getBranding);
  const members = stored as Fields;
  const current = { ...members, comparison: comparisons[members.comparison as keyof typeof comparisons] };
  const { branding } =
    given === undefined ? { branding: stored } : await call({ partnerId, branding: changed(current, given) });
  print({ partnerId, ...(branding as Fields) });
}

async function testClock({ asked, options, partner, call, print }: Running): Promise<void> {
  const isShown = asked.now === undefined && !options.real;
  const { clock } = isShown ? await call({}, getTestClock) : await call(asked);
  print({ partnerId: partner, ...(clock as Fields) });
}

async function printUsage({ asked, call, print, say }: Running): Promise<void> {
  let countedUntil: unknown = null;
  for await (const { days, countedAt } of pagesOf(method.getUsage, asked, call)) {
    for (const each of days as Fields[]) print(each);
    countedUntil = countedAt;
  }
  say(`counted until ${countedUntil ?? "nothing yet"}`);
}
