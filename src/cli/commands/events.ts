// Commands for the events of partners.
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { WebhookService, WebhookStart } from "../../gen/assessment/v1/webhook_service_pb.ts";
import { eventTypes } from "../../kernel/event-types.ts";
import type { OpenContext } from "../command.ts";
import { addRpcCommands, type Comments, type Fields, pagesOf, type RpcCommand, type Running } from "../rpc-commands.ts";
import { stopSignal } from "../serving/stop-signal.ts";

const { method } = WebhookService;
const { listAllEvents, listEvents } = EventService.method;
const pageSize = 500;
const tailIntervalMs = 250;
const ofPartner = (endpoint: Fields, { partner }: Fields) => ({ partnerId: partner, ...endpoint });

const noEndpoint = "there is no such endpoint of that partner; `pas webhooks list` shows those that there are";

const eventRows: readonly RpcCommand[] = [
  {
    name: "events list",
    about: "prints the events that are kept, one a line, the oldest first: of a partner, or of all but test twins",
    rpc: listEvents,
    partner: "optional",
    run: (running) => printEvents(running, "", async () => false),
  },
  {
    name: "events tail",
    about: "prints events as they happen, one a line, until a signal stops it",
    rpc: listEvents,
    partner: "optional",
    run: followEvents,
  },
];

const webhookRows: readonly RpcCommand[] = [
  {
    name: "list",
    about: "prints endpoints, one a line, with their state and what waits for them",
    rpc: method.listWebhookEndpoints,
    partner: "optional",
    flags: { "--failing": "only those that are down or disabled" },
    run: listEndpoints,
  },
  {
    name: "create",
    about: "makes an endpoint, of events of all types unless you name some; its secret is printed once",
    rpc: method.createWebhookEndpoint,
    takes: "url! types description",
    flags: { "--oldest": "deliver what is kept already, too" },
    fill: ({ types = [...eventTypes], oldest }) => ({ types, start: oldest ? WebhookStart.OLDEST : WebhookStart.NOW }),
    shape: ({ endpoint, secret }) => ({ endpointId: (endpoint as Fields).endpointId, secret }),
  },
  { name: "test", rpc: method.testWebhookEndpoint, takes: "<endpoint_id>" },
  {
    name: "enable",
    about: "enables an endpoint; it goes on where it stopped",
    rpc: method.updateWebhookEndpoint,
    takes: "<endpoint_id>",
    fill: () => ({ enabled: true }),
    shape: ofPartner,
  },
  {
    name: "disable",
    about: "disables an endpoint; it keeps its place",
    rpc: method.updateWebhookEndpoint,
    takes: "<endpoint_id>",
    fill: () => ({ enabled: false }),
    shape: ofPartner,
  },
  { name: "rotate", rpc: method.rotateWebhookSecret, takes: "<endpoint_id>" },
  { name: "replay", rpc: method.replayEvents, takes: "<endpoint_id> after until", shape: ofPartner },
  { name: "attempts", rpc: method.listWebhookAttempts, takes: "<endpoint_id> outcome" },
  { name: "parked", rpc: method.listParkedEvents, takes: "<endpoint_id> state" },
  { name: "redeliver", rpc: method.redeliverEvents, takes: "<endpoint_id> <event_ids>" },
];

/** Declares `pas events …` and `pas webhooks …`. */
export function addEventCommands(pas: Command, open: OpenContext, comments: Comments): void {
  const events = pas.command("events").description("the log of events");
  addRpcCommands(pas, open, comments, eventRows);
  events
    .command("skip-ahead")
    .description("after a restored backup or a lossy failover: leaves out 2^32 positions, so that none comes twice")
    .action(async () => (await import("../upkeep.ts")).skipEventsAhead(open()));
  const webhooks = pas.command("webhooks").description("endpoints of partners that events are delivered to");
  addRpcCommands(
    pas,
    open,
    comments,
    webhookRows.map((row) => ({ ...row, name: `webhooks ${row.name}`, missing: noEndpoint })),
  );
  webhooks
    .command("reseal")
    .description("seals all secrets with the first key of WEBHOOK_KEY, after a new one was put there")
    .action(async () => (await import("../upkeep.ts")).resealWebhookSecrets(open()));
}

async function listEndpoints({ partner, options, call, print }: Running): Promise<void> {
  const listOf = async (partnerId: string) => {
    const { endpoints } = await call({}, method.listWebhookEndpoints, partnerId);
    for (const endpoint of endpoints as Fields[]) {
      if (!options.failing || endpoint.state !== "healthy") print({ partnerId, ...endpoint });
    }
  };
  if (partner !== undefined) return listOf(partner);
  for await (const { partners } of pagesOf(PartnerService.method.listPartners, {}, call)) {
    for (const { partnerId } of partners as Fields[]) await listOf(String(partnerId));
  }
}

/**
 * Prints the events after a cursor.
 * @param goesOn called at the end of the log
 */
async function printEvents(
  { partner, call, print }: Running,
  cursor: string,
  goesOn: () => Promise<boolean>,
): Promise<void> {
  const rpc = partner === undefined ? listAllEvents : listEvents;
  for (let after: unknown = cursor; ; ) {
    const page = await call({ after, pageSize }, rpc);
    for (const item of page.events as Fields[]) {
      const { partnerId = partner, event = item } = item;
      print({ partnerId, ...(event as Fields) });
    }
    after = page.next;
    if (page.atEnd && !(await goesOn())) return;
  }
}

function followEvents(running: Running): Promise<void> {
  const stopped = stopSignal().then(() => false);
  return printEvents(running, "now", () => Promise.race([stopped, pause(tailIntervalMs, true)]));
}
