// pas webhooks …: the webhook endpoints of partners, for operators.
import { recordAct } from "../../domain/audit/acts.ts";
import { type CountedEndpoint, type Endpoint, endpointState } from "../../domain/webhooks/endpoint.ts";
import {
  createEndpoint,
  updateEndpoint,
  type WebhookCaller,
  type WebhookDeps,
  withBacklog,
} from "../../domain/webhooks/endpoints.ts";
import { rotateSecret } from "../../domain/webhooks/secret-rotation.ts";
import { sendTest, type TestDeliveryDeps } from "../../domain/webhooks/test-delivery.ts";
import { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { eventTypes } from "../../kernel/event-types.ts";
import type { Domain } from "../../process/core.ts";
import { createWebhookWiring, webhookNetworks } from "../../process/webhooks.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, withDomain } from "../database.ts";
import { unlessFound } from "../faults.ts";
import { provideWebhookKeys } from "./webhook-keys.ts";

const pageSize = 500;
const firstId = "00000000-0000-0000-0000-000000000000";

type Deps = WebhookDeps & TestDeliveryDeps & Pick<Domain, "trail" | "shards">;

export interface ListOptions {
  /** Id of a partner; undefined: the endpoints of all. */
  readonly partner?: string;
  /** Only those that are down or disabled. */
  readonly failing?: true;
}

/** Prints webhook endpoints, one a line. */
export function listWebhooks(context: CommandContext, { partner, failing }: ListOptions): Promise<void> {
  return withWebhooks(context, async (deps) => {
    for await (const endpoint of endpointsOf(deps, partner)) {
      if (failing && endpointState(endpoint) === "healthy") continue;
      context.print(toLine(await withBacklog(deps, endpoint, commandDeadline())));
    }
  });
}

export interface CreateOptions {
  readonly partner: string;
  readonly url: string;
  /** Separated by commas; undefined: all types. */
  readonly types?: string;
  readonly description?: string;
  /** Whether it gets what is kept already. */
  readonly oldest?: true;
}

/** Makes a webhook endpoint, and prints its id and its secret. */
export function createWebhook(context: CommandContext, options: CreateOptions): Promise<void> {
  const { partner, url, types = eventTypes.join(","), description = "", oldest = false } = options;
  const request = { url, types: types.split(","), description, startsAtOldest: oldest, includeExternalId: false };
  return withWebhooks(context, async (deps, deadline) => {
    const made = await recordAct(
      deps,
      { action: WebhookService.method.createWebhookEndpoint, partnerId: partner },
      () => createEndpoint(deps, asOperator(partner), request, deadline),
      ({ endpoint }) => ({ targetId: endpoint.id }),
    );
    context.print({ endpointId: made.endpoint.id, secret: made.secret });
  });
}

/** Sends a `webhook.test` to an endpoint, and prints what became of it. */
export function testWebhook(context: CommandContext, id: string, { partner }: OwnerOptions): Promise<void> {
  return withWebhooks(context, async (deps, deadline) => {
    const act = { action: WebhookService.method.testWebhookEndpoint, partnerId: partner, targetId: id };
    const { status, error, tookMs } = await recordAct(deps, act, () =>
      sendTest(deps, asOperator(partner), id, deadline),
    );
    context.print({ status, error, tookMs });
  });
}

export interface OwnerOptions {
  /** Id of the partner whose endpoint it is. */
  readonly partner: string;
}

/** Enables or disables an endpoint, and prints it. It keeps its place. */
export function setWebhookEnabled(
  context: CommandContext,
  id: string,
  { partner, isEnabled }: OwnerOptions & { readonly isEnabled: boolean },
): Promise<void> {
  return withWebhooks(context, async (deps, deadline) => {
    const update = { isEnabled, resumesNow: false };
    const act = { action: WebhookService.method.updateWebhookEndpoint, partnerId: partner, targetId: id };
    const change = () => updateEndpoint(deps, asOperator(partner), id, update, deadline, "operator");
    context.print(toLine(await withBacklog(deps, await recordAct(deps, act, change), deadline)));
  });
}

/** Gives an endpoint a further secret, and prints it. The one before goes on to sign for a day. */
export function rotateWebhookSecret(context: CommandContext, id: string, { partner }: OwnerOptions): Promise<void> {
  return withWebhooks(context, async (deps, deadline) => {
    const act = { action: WebhookService.method.rotateWebhookSecret, partnerId: partner, targetId: id };
    context.print(await recordAct(deps, act, () => rotateSecret(deps, asOperator(partner), id, undefined, deadline)));
  });
}

/** Seals all secrets with the first key of WEBHOOK_KEY, and prints how many were. */
export function resealWebhookSecrets(context: CommandContext): Promise<void> {
  return withWebhooks(context, async (deps) => {
    const { webhooks, sealer } = deps;
    const counts = { resealed: 0, current: 0, unreadable: 0 };
    for await (const endpoint of endpointsOf(deps, undefined)) {
      for (const sealed of await webhooks.listSecrets(endpoint, commandDeadline().signal)) {
        const secret = sealer.open(sealed);
        if (secret === undefined) counts.unreadable += 1;
        else if (sealer.isCurrent(sealed)) counts.current += 1;
        else {
          const resealed = { id: sealed.id, ...sealer.seal(secret, sealed) };
          await webhooks.resealSecret(endpoint.partnerId, resealed, commandDeadline().signal);
          counts.resealed += 1;
        }
      }
    }
    context.print(counts);
  });
}

/** The endpoints of a partner, or of all: one shard after the other. */
async function* endpointsOf(deps: Deps, partnerId: string | undefined): AsyncGenerator<Endpoint> {
  for (const shard of partnerId === undefined ? deps.shards() : [deps]) yield* endpointsIn(shard, partnerId);
}

/** The same in one place, page by page. */
async function* endpointsIn({ webhooks }: Pick<Deps, "webhooks">, partnerId: string | undefined) {
  for (let after = firstId; ; ) {
    const page = await webhooks.listEndpoints(partnerId, after, pageSize, commandDeadline().signal);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** Does the work with the domain, and with keys and a sender of webhooks. */
export async function withWebhooks(
  context: CommandContext,
  work: (deps: Deps, deadline: Deadline) => Promise<void>,
): Promise<void> {
  const { config } = context;
  const keys = await provideWebhookKeys(config, config.DATABASE_URL === undefined);
  const wiring = createWebhookWiring({ keys, allowedNetworks: webhookNetworks(config) });
  try {
    await withDomain(context, (domain, deadline) => work({ ...domain, ...wiring }, deadline)).catch(
      unlessFound("there is no such endpoint of that partner; `pas webhooks list` shows those that there are"),
    );
  } finally {
    wiring.sender.close();
  }
}

/** Whoever has the database may do anything with it. */
export function asOperator(partnerId: string): WebhookCaller {
  return { partnerId, mayNamePersons: true };
}

/** An endpoint as commands print it. */
export function toLine(endpoint: CountedEndpoint) {
  const { id, partnerId, url, types, disabledReason, sequence, failures, failingSince, replay, backlog } = endpoint;
  const state = { state: endpointState(endpoint), disabledReason, nextAttemptAt: endpoint.restUntil, backlog };
  return { endpointId: id, partnerId, url, types, ...state, sequence, failures, failingSince, replay };
}
