// Webhook endpoints: creating, changing and testing them.
import { findEventTypeViolations, isEventType } from "../../domain/events/event-types.ts";
import { createId, operatorClientId } from "../../domain/identifiers.ts";
import { createUnsentResult, hasSucceeded } from "../../domain/webhooks/deliveries.ts";
import { type Endpoint, findEndpointState, maxBacklog, maxEndpoints } from "../../domain/webhooks/endpoint.ts";
import { formatSecret, type SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import {
  type CreateWebhookEndpointRequest,
  type RotateWebhookSecretRequest,
  type UpdateWebhookEndpointRequest,
  WebhookResume,
  WebhookStart,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { ClientCall, PartnerCall, WaitingCall } from "../../pipeline/call.ts";
import type { UrlTaken } from "../../store/webhooks/webhook-store.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { requireScopesForContents } from "../events/described-events.ts";

const defaultOverlapSeconds = 24 * 60 * 60;

export type WebhookDeps = Dependencies & Pick<CallDependencies, "sealer" | "findDestinationViolations">;

/** A call that may have to wait for a receiver of webhooks, or a name server. */
type EndpointCall = ClientCall & WaitingCall;

/**
 * Creates an endpoint.
 * Throws `webhooks_off`, `permission_denied`, `invalid_request`, `limit_reached` and `endpoint_exists`.
 * @returns the endpoint, and its secret as receivers configure it
 */
export async function createEndpoint(deps: WebhookDeps, request: CreateWebhookEndpointRequest, call: EndpointCall) {
  requireWebhooksOn(deps);
  requireScopesForContents(call, request);
  const { partnerId, signal } = call;
  await checkSettings(deps, call, request.url, request.types);
  const { lastExpired, lastNumber } = await deps.events.findPartnerBounds(partnerId, signal);
  const createdAt = new Date(deps.clock());
  const id = createId(createdAt, deps.random);
  const endpoint = {
    id,
    partnerId,
    createdAt,
    url: new URL(request.url).href,
    description: request.description || null,
    types: request.types.filter(isEventType),
    includeExternalId: request.includeExternalId,
    includeNames: request.includeNames,
    sequence: request.start === WebhookStart.OLDEST ? lastExpired : lastNumber,
  };
  const { sealed: sealedSecret, text } = createSigningSecret(deps, id);
  const refusal = await deps.webhooks.insertEndpoint(endpoint, sealedSecret, maxEndpoints, signal);
  if (refusal === "limit_reached") {
    throw new Refusal("limit_reached", `A partner has at most ${maxEndpoints} webhook endpoints.`);
  }
  if (refusal !== undefined) throw endpointExistsError(refusal);
  return { endpoint: await describeEndpoint(deps, await getEndpoint(deps, id, call), call), secret: text };
}

/** An endpoint of the partner. Throws `not_found`. */
export async function getEndpoint(
  { webhooks }: Dependencies,
  endpointId: string,
  { partnerId, signal }: PartnerCall,
): Promise<Endpoint> {
  const id = parseUuid(endpointId);
  const endpoint = id === undefined ? undefined : await webhooks.findEndpoint(partnerId, id, signal);
  if (endpoint === undefined) throw notFoundError();
  return endpoint;
}

/** The endpoint as a message. */
export async function describeEndpoint({ webhooks, clock }: Dependencies, endpoint: Endpoint, { signal }: Deadline) {
  const { disabledReason, pausedUntil } = endpoint;
  const isPaused = disabledReason === null && pausedUntil !== null && pausedUntil.getTime() > clock();
  return {
    ...endpoint,
    endpointId: endpoint.id,
    description: endpoint.description ?? "",
    status: disabledReason === null ? "enabled" : "disabled",
    state: findEndpointState(endpoint),
    nextAttemptAt: isPaused ? pausedUntil : null,
    backlog: await webhooks.countBacklog(endpoint, maxBacklog, signal),
  };
}

/** An endpoint that the caller may control. Throws `not_found` and `permission_denied`. */
export async function getEndpointToChange(deps: Dependencies, endpointId: string, call: ClientCall) {
  const endpoint = await getEndpoint(deps, endpointId, call);
  requireScopesForContents(call, endpoint);
  return endpoint;
}

/**
 * Changes an endpoint. A new URL, and enabling, reset its failures: parked events are retried at once.
 * Throws `not_found`, `permission_denied`, `invalid_request` and `endpoint_exists`.
 */
export async function updateEndpoint(deps: WebhookDeps, update: UpdateWebhookEndpointRequest, call: EndpointCall) {
  const { partnerId, signal } = call;
  const currentEndpoint = await getEndpoint(deps, update.endpointId, call);
  requireScopeForUpdate(call, currentEndpoint, update);
  await checkSettings(deps, call, update.url, update.types?.values);
  const url = update.url === undefined ? undefined : new URL(update.url).href;
  const isSkipping = update.resume === WebhookResume.NOW;
  const { lastNumber } = isSkipping ? await deps.events.findPartnerBounds(partnerId, signal) : { lastNumber: 0 };
  const change = (endpoint: Endpoint) => {
    // Another call may have had it name persons meanwhile.
    requireScopeForUpdate(call, endpoint, update);
    const isEnabled = update.enabled ?? endpoint.disabledReason === null;
    const reason = call.clientId === operatorClientId ? "operator" : "partner";
    return {
      url: url ?? endpoint.url,
      types: update.types?.values.filter(isEventType) ?? endpoint.types,
      description: (update.description ?? endpoint.description) || null,
      includeExternalId: update.includeExternalId ?? endpoint.includeExternalId,
      includeNames: update.includeNames ?? endpoint.includeNames,
      disabledReason: isEnabled ? null : (endpoint.disabledReason ?? reason),
      resetsFailures: update.enabled === true || (url !== undefined && url !== endpoint.url),
      skipTo: isEnabled && endpoint.disabledReason !== null ? lastNumber : 0,
    };
  };
  const conflict = await deps.webhooks.changeEndpoint(currentEndpoint, change, signal);
  if (conflict !== undefined) throw endpointExistsError(conflict);
  return { endpoint: await describeEndpoint(deps, await getEndpoint(deps, currentEndpoint.id, call), call) };
}

/**
 * Adds a secret to an endpoint. Deliveries are signed with both until the overlap is over.
 * Throws `webhooks_off`, `not_found` and `permission_denied`.
 */
export async function rotateSecret(
  deps: WebhookDeps,
  { endpointId, overlapSeconds = defaultOverlapSeconds }: RotateWebhookSecretRequest,
  call: ClientCall,
) {
  requireWebhooksOn(deps);
  const { id, partnerId } = await getEndpointToChange(deps, endpointId, call);
  const { sealed: sealedSecret, text } = createSigningSecret(deps, id);
  const previousEndAt = await deps.webhooks.addSecret(partnerId, sealedSecret, overlapSeconds, call.signal);
  if (previousEndAt === undefined) throw notFoundError();
  return { secret: text, previousEndAt };
}

/** Sends a `webhook.test`, which is not in the log. Throws `webhooks_off`, `not_found` and `permission_denied`. */
export async function sendTest(
  deps: WebhookDeps & Pick<CallDependencies, "sender">,
  endpointId: string,
  call: EndpointCall,
) {
  const { webhooks, sealer, sender, clock, random } = deps;
  requireWebhooksOn(deps);
  const endpoint = await getEndpointToChange(deps, endpointId, call);
  const secrets = sealer.openAll(await webhooks.listSecrets(endpoint, call.signal));
  if (secrets.length === 0) return createUnsentResult("secret_unreadable");
  const sentAt = new Date(clock());
  const id = `evt_${createId(sentAt, random).replaceAll("-", "")}_test`;
  const event = { id, type: "webhook.test", timestamp: sentAt.toISOString(), data: { endpointId: endpoint.id } };
  const message = { url: endpoint.url, id, body: JSON.stringify(event), secrets, sentAt };
  const result = await call.waitOutside("servers", () => sender.send(message, call.signal));
  if (hasSucceeded(result)) await webhooks.resumeEndpoint(endpoint, call.signal);
  return result;
}

/** A secret of an endpoint, sealed and as the partner gets it. */
function createSigningSecret(
  { sealer, clock, random }: WebhookDeps,
  endpointId: string,
): { sealed: SealedSecret; text: string } {
  const secret = sealer.drawSecret();
  const createdAt = new Date(clock());
  const place = { id: createId(createdAt, random), endpointId };
  return { sealed: { ...place, createdAt, ...sealer.seal(secret, place) }, text: formatSecret(secret) };
}

/** Throws `webhooks_off` if secrets cannot be sealed. */
function requireWebhooksOn({ sealer }: WebhookDeps): void {
  if (!sealer.isOn) throw new Refusal("webhooks_off", details.webhooks_off);
}

/** Describing and disabling an endpoint, and removing names from its events, needs no more than the right to change endpoints. */
function requireScopeForUpdate(call: ClientCall, endpoint: Endpoint, update: UpdateWebhookEndpointRequest): void {
  const { url, types, enabled = false, includeExternalId, includeNames } = update;
  const needsPersonalScopes = url !== undefined || types !== undefined || enabled || includeExternalId || includeNames;
  if (!needsPersonalScopes) return;
  requireScopesForContents(call, {
    includeExternalId: includeExternalId ?? endpoint.includeExternalId,
    includeNames: includeNames ?? endpoint.includeNames,
  });
}

/** Throws `invalid_request`. */
async function checkSettings(
  { findDestinationViolations }: WebhookDeps,
  call: WaitingCall,
  url: string | undefined,
  types: readonly string[] = [],
): Promise<void> {
  const urlViolations =
    url === undefined ? [] : await call.waitOutside("servers", () => findDestinationViolations(url));
  throwIfInvalid([...urlViolations, ...findEventTypeViolations(types)]);
}

function endpointExistsError({ takenBy }: UrlTaken): Refusal {
  return new Refusal("endpoint_exists", details.endpoint_exists, { metadata: { endpointId: takenBy } });
}
