// pas webhooks …: the webhook endpoints of partners, for operators.

import type { Deadline } from "../domain/environment.ts";
import { downAfter, type Endpoint } from "../domain/webhooks/endpoint.ts";
import { createEndpoint, rotateSecret, updateEndpoint, type WebhookDeps } from "../domain/webhooks/endpoints.ts";
import { replayEvents } from "../domain/webhooks/redelivery.ts";
import { sendTest, type TestDeliveryDeps } from "../domain/webhooks/test-delivery.ts";
import { eventTypes } from "../rules/event-types.ts";
import { createWebhookParts } from "../webhook-parts.ts";
import { type Command, type CommandContext, readArguments, required, UsageError } from "./command.ts";
import { commandDeadline, withDomain } from "./database.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";

const pageSize = 500;
const firstId = "00000000-0000-0000-0000-000000000000";
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const partnerAndId = "ID --partner ID";

type Deps = WebhookDeps & TestDeliveryDeps;

export const webhooksList: Command = {
  usage: "[--partner ID] [--failing]",
  about: "print webhook endpoints, one a line, without their URLs; --failing: those that are down or disabled",
  async run(context) {
    const { partner, failing } = readArguments(context.args, { partner: "string", failing: "boolean" }).options;
    const partnerId = partner === undefined ? undefined : idOf(partner, "partner");
    await withWebhooks(context, async (deps) => {
      for (let after = firstId; ; ) {
        const page = await deps.webhooks.listEndpoints(partnerId, after, pageSize, commandDeadline().signal);
        for (const endpoint of page) if (!failing || isTrouble(endpoint)) context.print(toLine(endpoint));
        const last = page.at(-1);
        if (last === undefined || page.length < pageSize) return;
        after = last.id;
      }
    });
  },
};

export const webhooksCreate: Command = {
  usage: "--partner ID --url URL [--types LIST] [--description TEXT] [--oldest]",
  about: "make a webhook endpoint, of all types unless a list says otherwise; its secret is shown once",
  async run(context) {
    const kinds = {
      partner: "string",
      url: "string",
      types: "string",
      description: "string",
      oldest: "boolean",
    } as const;
    const { options } = readArguments(context.args, kinds);
    const { types = eventTypes.join(","), description = "", oldest = false } = options;
    const partnerId = idOf(required(options.partner, "partner"), "partner");
    const request = { url: required(options.url, "url"), types: types.split(","), description, startsAtOldest: oldest };
    await withWebhooks(context, async (deps, deadline) => {
      const made = await createEndpoint(deps, partnerId, { ...request, includeExternalId: false }, deadline);
      context.print({ endpointId: made.endpoint.id, secret: made.secret });
    });
  },
};

export const webhooksTest: Command = {
  usage: partnerAndId,
  about: "send a webhook.test to an endpoint",
  run: (context) =>
    onEndpoint(context, async (deps, { partnerId, id }, deadline) => {
      const { status, error, tookMs } = await sendTest(deps, partnerId, id, deadline);
      context.print({ status, error, tookMs });
    }),
};

export const webhooksEnable: Command = {
  usage: partnerAndId,
  about: "enable an endpoint; it goes on where it stopped",
  run: (context) => setEnabled(context, true),
};

export const webhooksDisable: Command = {
  usage: partnerAndId,
  about: "disable an endpoint; it keeps its place",
  run: (context) => setEnabled(context, false),
};

export const webhooksRotate: Command = {
  usage: partnerAndId,
  about: "give an endpoint a further secret; the one before goes on to sign for a day",
  run: (context) =>
    onEndpoint(context, async (deps, { partnerId, id }, deadline) => {
      context.print(await rotateSecret(deps, partnerId, id, undefined, deadline));
    }),
};

export const webhooksReplay: Command = {
  usage: `${partnerAndId} [--after SEQUENCE] [--until SEQUENCE]`,
  about: "deliver a range of the log to an endpoint once more",
  run: (context) =>
    onEndpoint(context, async (deps, { partnerId, id, after, until }, deadline) => {
      context.print(toLine(await replayEvents(deps, partnerId, id, { after, until }, deadline)));
    }),
};

export const webhooksReseal: Command = {
  usage: "",
  about: "seal all secrets with the first key of WEBHOOK_KEY, after a new one was put there",
  async run(context) {
    readArguments(context.args, {});
    await withWebhooks(context, async ({ webhooks, sealer }) => {
      const counts = { resealed: 0, current: 0, unreadable: 0 };
      for (let after = firstId; ; ) {
        const page = await webhooks.listEndpoints(undefined, after, pageSize, commandDeadline().signal);
        for (const { id } of page) {
          for (const sealed of await webhooks.listSecrets(id, commandDeadline().signal)) {
            const secret = sealer.open(sealed);
            if (secret === undefined) counts.unreadable += 1;
            else if (sealer.isCurrent(sealed)) counts.current += 1;
            else {
              await webhooks.resealSecret({ id: sealed.id, ...sealer.seal(secret, sealed) }, commandDeadline().signal);
              counts.resealed += 1;
            }
          }
        }
        const last = page.at(-1);
        if (last === undefined || page.length < pageSize) return context.print(counts);
        after = last.id;
      }
    });
  },
};

function setEnabled(context: CommandContext, isEnabled: boolean): Promise<void> {
  return onEndpoint(context, async (deps, { partnerId, id }, deadline) => {
    const update = { isEnabled, resumesNow: false };
    context.print(toLine(await updateEndpoint(deps, partnerId, id, update, deadline, "operator")));
  });
}

interface Named {
  readonly partnerId: string;
  readonly id: string;
  readonly after: string;
  readonly until: string;
}

/** Runs what concerns one endpoint, named by its id and its partner's. */
async function onEndpoint(
  context: CommandContext,
  work: (deps: Deps, named: Named, deadline: Deadline) => Promise<void>,
): Promise<void> {
  const kinds = { partner: "string", after: "string", until: "string" } as const;
  const { options, positionals } = readArguments(context.args, kinds, ["ID"]);
  const { after = "", until = "" } = options;
  const named = {
    partnerId: idOf(required(options.partner, "partner"), "partner"),
    id: idOf(positionals[0] ?? "", "ID"),
  };
  await withWebhooks(context, (deps, deadline) => work(deps, { ...named, after, until }, deadline));
}

async function withWebhooks(
  context: CommandContext,
  work: (deps: Deps, deadline: Deadline) => Promise<void>,
): Promise<void> {
  const { config } = context;
  const keys = await provideWebhookKeys(config, config.DATABASE_URL === undefined);
  const parts = createWebhookParts({ keys, allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS });
  try {
    await withDomain(context, (domain, deadline) => work({ ...domain, ...parts }, deadline));
  } finally {
    parts.sender.close();
  }
}

function idOf(text: string, name: string): string {
  if (!uuid.test(text)) throw new UsageError(`${name} must be a UUID`);
  return text;
}

function isTrouble({ disabledReason, failures }: Endpoint): boolean {
  return disabledReason !== null || failures >= downAfter;
}

/** Without its URL: that is the partner's, and may hold more than an address. */
function toLine({ id, partnerId, types, disabledReason, sequence, failures, failingSince, replay }: Endpoint) {
  const status = disabledReason === null ? "enabled" : "disabled";
  return { endpointId: id, partnerId, types, status, disabledReason, sequence, failures, failingSince, replay };
}
