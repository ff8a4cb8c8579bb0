// Webhook endpoints: creating, changing and testing them.
import { setTimeout } from "node:timers/promises";
import type { Message } from "@bufbuild/protobuf";
import { newId } from "../../domain/identifiers.ts";
import { hasSucceeded, notSent, type SendResult } from "../../domain/webhooks/deliveries.ts";
import { changeKnownMs, type DisabledReason, type Endpoint, maxEndpoints } from "../../domain/webhooks/endpoint.ts";
import { urlViolations } from "../../domain/webhooks/endpoint-url.ts";
import { type SealedSecret, secretText } from "../../domain/webhooks/sealed-secrets.ts";
import {
  type CreateWebhookEndpointRequest,
  type UpdateWebhookEndpointRequest,
  WebhookResume,
  WebhookStart,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { eventTypeViolations, isEventType } from "../../kernel/event-types.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { Principal } from "../../pipeline/pipeline.ts";
import type { UrlTaken } from "../../store/webhooks/webhook-store.ts";
import type { Needs } from "../dependencies.ts";

const maxTries = 5;
const defaultOverlapSeconds = 24 * 60 * 60;
/** Timers may fire early by this much. */
const timerMarginMs = 10;

export type WebhookDeps = Needs<"webhooks" | "events" | "sealer" | "destinationViolations" | "clock" | "random"> & {
  /** Waits; throws `deadline_exceeded` when the signal aborts. Real time unless given. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type TestDeliveryDeps = Needs<"webhooks" | "sealer" | "clock" | "random" | "sender">;

/** The caller, whose scopes say whether it may have events name the person of their session. */
export type WebhookCaller = Pick<Principal, "partnerId" | "scopes">;

export type NewEndpointRequest = Omit<CreateWebhookEndpointRequest, keyof Message>;

/** Undefined members stay as they are. */
export interface EndpointUpdate
  extends Partial<Omit<UpdateWebhookEndpointRequest, keyof Message | "endpointId" | "types">> {
  readonly endpointId: string;
  readonly types?: { readonly values: readonly string[] } | undefined;
}

/**
 * Creates an endpoint.
 * Throws `webhooks_off`, `permission_denied`, `invalid_request`, `limit_reached` and `endpoint_exists`.
 * @returns the endpoint, and its secret as receivers configure it
 */
export async function createEndpoint(
  deps: WebhookDeps,
  caller: WebhookCaller,
  request: NewEndpointRequest,
  { signal }: Deadline,
): Promise<{ endpoint: Endpoint; secret: string }> {
  refuseIfOff(deps);
  refuseIfNamed(caller, request);
  const { partnerId } = caller;
  await checkSettings(deps, request, signal);
  const { expired, head } = await deps.events.findPartnerBounds(partnerId, signal);
  const sequence = request.start === WebhookStart.OLDEST ? expired : head;
  const createdAt = new Date(deps.clock());
  const endpoint: Endpoint = {
    id: newId(createdAt, deps.random),
    partnerId,
    url: new URL(request.url).href,
    description: request.description,
    types: request.types.filter(isEventType),
    includeExternalId: request.includeExternalId,
    revision: 0,
    disabledReason: null,
    createdAt,
    sequence,
    claimedSequence: sequence,
    answering: "unknown",
    failures: 0,
    failingSince: null,
    replay: null,
    restUntil: null,
  };
  const secret = newSecret(deps, endpoint.id);
  const outcome = await deps.webhooks.insertEndpoint(endpoint, secret.sealed, maxEndpoints, signal);
  if (outcome === "limit_reached") {
    throw new Refusal("limit_reached", `A partner has at most ${maxEndpoints} webhook endpoints.`);
  }
  if (outcome !== "inserted") throw endpointExists(outcome);
  return { endpoint, secret: secret.text };
}

/** An endpoint of the partner. Throws `not_found`. */
export async function getEndpoint(
  { webhooks }: Needs<"webhooks">,
  partnerId: string,
  endpointId: string,
  { signal }: Deadline,
): Promise<Endpoint> {
  const id = parseUuid(endpointId);
  const endpoint = id === undefined ? undefined : await webhooks.findEndpoint(partnerId, id, signal);
  if (endpoint === undefined) throw notFound();
  return endpoint;
}

/**
 * An endpoint of the partner that the caller may control: trigger deliveries, or change its URL, types and secrets.
 * Throws `not_found` and `permission_denied`.
 */
export async function getSteerable(
  deps: Needs<"webhooks">,
  caller: WebhookCaller,
  endpointId: string,
  deadline: Deadline,
): Promise<Endpoint> {
  const endpoint = await getEndpoint(deps, caller.partnerId, endpointId, deadline);
  refuseIfNamed(caller, endpoint);
  return endpoint;
}

/**
 * Changes an endpoint. A new URL, and enabling, reset its failures: parked events are retried at once.
 * Throws `not_found`, `permission_denied`, `invalid_request`, `endpoint_exists` and `conflict`.
 * @param reason why it is disabled, if the update disables it
 */
export async function updateEndpoint(
  deps: WebhookDeps,
  caller: WebhookCaller,
  update: EndpointUpdate,
  deadline: Deadline,
  reason: DisabledReason = "partner",
): Promise<Endpoint> {
  const { partnerId } = caller;
  const { endpointId } = update;
  refuseUpdateIfNamed(caller, await getEndpoint(deps, partnerId, endpointId, deadline), update);
  await checkSettings(deps, { ...update, types: update.types?.values }, deadline.signal);
  const url = update.url === undefined ? undefined : new URL(update.url).href;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const endpoint = await getEndpoint(deps, partnerId, endpointId, deadline);
    // Of the revision to be changed: another call may have had it name persons meanwhile.
    refuseUpdateIfNamed(caller, endpoint, update);
    const isEnabled = update.enabled ?? endpoint.disabledReason === null;
    const isEnabledAgain = isEnabled && endpoint.disabledReason !== null;
    const skips = isEnabledAgain && update.resume === WebhookResume.NOW;
    const change = {
      url: url ?? endpoint.url,
      types: update.types?.values.filter(isEventType) ?? endpoint.types,
      description: update.description ?? endpoint.description,
      includeExternalId: update.includeExternalId ?? endpoint.includeExternalId,
      disabledReason: isEnabled ? null : (endpoint.disabledReason ?? reason),
      isFresh: update.enabled === true || (url !== undefined && url !== endpoint.url),
      skipTo: skips ? (await deps.events.findPartnerBounds(partnerId, deadline.signal)).head : undefined,
    };
    const outcome = await deps.webhooks.saveEndpoint(endpoint, endpoint.revision, change, deadline.signal);
    if (outcome === "saved") return getEndpoint(deps, partnerId, endpointId, deadline);
    if (outcome !== "lost") throw endpointExists(outcome);
  }
  throw new Refusal(
    "conflict",
    "Other changes of this endpoint came first until the deadline. Nothing was stored. Repeat the request.",
  );
}

/**
 * Adds a secret to an endpoint. Deliveries are signed with both until the overlap is over. Waits until no delivery can
 * begin that does not know of it, so that without an overlap the previous secret signs nothing any more.
 * Throws `webhooks_off`, `not_found`, `permission_denied`, `invalid_request` and `deadline_exceeded`.
 * @param overlapSeconds undefined: a day
 */
export async function rotateSecret(
  deps: WebhookDeps,
  caller: WebhookCaller,
  endpointId: string,
  overlapSeconds: number | undefined,
  deadline: Deadline,
): Promise<{ secret: string; previousEndAt: Date }> {
  refuseIfOff(deps);
  const { id, partnerId } = await getSteerable(deps, caller, endpointId, deadline);
  const { sealed, text } = newSecret(deps, id);
  const { webhooks, pause = pauseFor } = deps;
  const overlap = overlapSeconds ?? defaultOverlapSeconds;
  const previousEndAt = await webhooks.addSecret(partnerId, sealed, overlap, deadline.signal);
  if (previousEndAt === undefined) throw notFound();
  await pause(changeKnownMs + timerMarginMs, deadline.signal);
  return { secret: text, previousEndAt };
}

/**
 * Sends a `webhook.test`, which is not in the log. A success resets the endpoint's failures. Throws `webhooks_off`,
 * `not_found` and `permission_denied`.
 */
export async function sendTest(
  deps: TestDeliveryDeps,
  caller: WebhookCaller,
  endpointId: string,
  deadline: Deadline,
): Promise<SendResult> {
  const { webhooks, sealer, sender, clock, random } = deps;
  refuseIfOff(deps);
  const endpoint = await getSteerable(deps, caller, endpointId, deadline);
  const secrets = sealer.openAll(await webhooks.listSecrets(endpoint, deadline.signal));
  if (secrets.length === 0) return notSent("secret_unreadable");
  const sentAt = new Date(clock());
  const id = `evt_${newId(sentAt, random).replaceAll("-", "")}_test`;
  const event = { id, type: "webhook.test", timestamp: sentAt.toISOString(), data: { endpointId: endpoint.id } };
  const message = { url: endpoint.url, id, body: JSON.stringify(event), secrets, sentAt };
  const result = await sender.send(message, deadline.signal);
  if (hasSucceeded(result)) await webhooks.resumeEndpoint(endpoint, deadline.signal);
  return result;
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new Refusal("deadline_exceeded", "The deadline passed. The secret was replaced: replace it once more.");
  });
}

/** A secret of an endpoint, sealed and as the partner gets it. */
function newSecret({ sealer, clock, random }: WebhookDeps, endpointId: string): { sealed: SealedSecret; text: string } {
  const secret = sealer.newSecret();
  const createdAt = new Date(clock());
  const place = { id: newId(createdAt, random), endpointId };
  const times = { createdAt, expiresAt: null };
  return { sealed: { ...place, ...times, ...sealer.seal(secret, place) }, text: secretText(secret) };
}

/** Throws `webhooks_off` if secrets cannot be sealed. */
function refuseIfOff({ sealer }: Needs<"sealer">): void {
  if (!sealer.isOn) throw new Refusal("webhooks_off", details.webhooks_off);
}

/** A caller who may not read sessions may not have their persons' names sent anywhere. Throws `permission_denied`. */
function refuseIfNamed(caller: WebhookCaller, { includeExternalId }: Pick<Endpoint, "includeExternalId">): void {
  if (caller.scopes.has("sessions:read") || !includeExternalId) return;
  const detail = "The access token lacks the scope `sessions:read`, which external ids require.";
  throw new Refusal("permission_denied", detail, { facts: { scope: "sessions:read" } });
}

/** Describing and disabling an endpoint, and removing names from its events, needs no more than the right to change endpoints. */
function refuseUpdateIfNamed(caller: WebhookCaller, endpoint: Endpoint, update: EndpointUpdate): void {
  const { url, types, enabled = false, includeExternalId } = update;
  const isSteered = url !== undefined || types !== undefined || enabled || includeExternalId === true;
  if (isSteered) refuseIfNamed(caller, { includeExternalId: includeExternalId ?? endpoint.includeExternalId });
}

/** Throws `invalid_request`. Names are resolved only if the other settings are valid. */
async function checkSettings(
  { destinationViolations }: WebhookDeps,
  { url, types = [] }: { readonly url?: string | undefined; readonly types?: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<void> {
  refuseIfAny([...urlViolations(url), ...eventTypeViolations(types)]);
  if (url !== undefined) refuseIfAny(await destinationViolations(new URL(url), signal));
}

function endpointExists({ takenBy }: UrlTaken): Refusal {
  const facts = { endpointId: takenBy };
  return new Refusal("endpoint_exists", details.endpoint_exists, { facts });
}
