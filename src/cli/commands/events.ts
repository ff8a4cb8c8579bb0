// Commands for the events of partners.
import { type Command, Option } from "@commander-js/extra-typings";
import type { OpenContext } from "../command.ts";
import { uuid } from "./values.ts";

/** Declares `pas events …` and `pas webhooks …`. */
export function addEventCommands(pas: Command, open: OpenContext): void {
  addFeedCommands(pas, open);
  addWebhookCommands(pas, open);
}

function addFeedCommands(pas: Command, open: OpenContext): void {
  const events = pas.command("events").description("the log of events");
  const commands = () => import("../events/events.ts");
  events
    .command("list")
    .description("print the events that are kept, one a line, the oldest first")
    .option("--partner <id>", "only those of the partner", uuid)
    .action(async (options) => (await commands()).listEvents(open(), options));
  events
    .command("tail")
    .description("print events as they happen, one a line, until a signal stops it")
    .option("--partner <id>", "only those of the partner", uuid)
    .action(async (options) => (await commands()).tailEvents(open(), options));
  events
    .command("skip-ahead")
    .description("after a restored backup or a lossy failover: leave out 2^32 positions, so that none comes twice")
    .action(async () => (await commands()).skipEventsAhead(open()));
}

function addWebhookCommands(pas: Command, open: OpenContext): void {
  const webhooks = pas.command("webhooks").description("endpoints of partners that events are delivered to");
  const commands = () => import("../events/webhooks.ts");
  const deliveries = () => import("../events/webhook-deliveries.ts");
  const ofEndpoint = (name: string) =>
    webhooks
      .command(name)
      .argument("<id>", "id of the endpoint", uuid)
      .requiredOption("--partner <id>", "id of its partner", uuid);
  webhooks
    .command("list")
    .description("print endpoints, one a line, with their state and what waits for them")
    .option("--partner <id>", "only those of the partner", uuid)
    .option("--failing", "only those that are down or disabled")
    .action(async (options) => (await commands()).listWebhooks(open(), options));
  webhooks
    .command("create")
    .description("make an endpoint; its secret is printed once")
    .requiredOption("--partner <id>", "id of its partner", uuid)
    .requiredOption("--url <url>", "where events go")
    .option("--types <list>", "types of events, separated by commas (default: all)")
    .option("--description <text>", "words for people")
    .option("--oldest", "deliver what is kept already, too")
    .action(async (options) => (await commands()).createWebhook(open(), options));
  ofEndpoint("test")
    .description("send a webhook.test")
    .action(async (id, options) => (await commands()).testWebhook(open(), id, options));
  ofEndpoint("enable")
    .description("enable an endpoint; it goes on where it stopped")
    .action(async (id, options) => (await commands()).setWebhookEnabled(open(), id, { ...options, isEnabled: true }));
  ofEndpoint("disable")
    .description("disable an endpoint; it keeps its place")
    .action(async (id, options) => (await commands()).setWebhookEnabled(open(), id, { ...options, isEnabled: false }));
  ofEndpoint("rotate")
    .description("give an endpoint a further secret; the one before goes on to sign for a day")
    .action(async (id, options) => (await commands()).rotateWebhookSecret(open(), id, options));
  ofEndpoint("replay")
    .description("deliver a range of the log once more")
    .option("--after <sequence>", "begin after this event")
    .option("--until <sequence>", "end with this event")
    .action(async (id, options) => (await deliveries()).replayWebhook(open(), id, options));
  ofEndpoint("attempts")
    .description("print what was tried and how it ended, one a line, the latest first")
    .addOption(new Option("--outcome <outcome>", "only those that ended so").choices(["succeeded", "failed"] as const))
    .action(async (id, options) => (await deliveries()).listWebhookAttempts(open(), id, options));
  ofEndpoint("parked")
    .description("print events that were not taken, or that wait for an earlier one, one a line")
    .addOption(
      new Option("--state <state>", "only those in this state").choices(["retrying", "waiting", "dead"] as const),
    )
    .action(async (id, options) => (await deliveries()).listParkedWebhooks(open(), id, options));
  ofEndpoint("redeliver")
    .argument("<event-ids...>", "100 at most")
    .description("deliver events once more, dead ones too")
    .action(async (id, eventIds, options) => (await deliveries()).redeliverWebhooks(open(), id, eventIds, options));
  webhooks
    .command("reseal")
    .description("seal all secrets with the first key of WEBHOOK_KEY, after a new one was put there")
    .action(async () => (await commands()).resealWebhookSecrets(open()));
}
