// Partners and their clients, as operators manage them.

import { NIL } from "uuid";
import { newId } from "../../domain/identifiers.ts";
import { internalScopes, isInternalScope, isScope, partnerScopes, type Scope } from "../../domain/identity/scopes.ts";
import { hashSecret, newSecret } from "../../domain/identity/secrets.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest, notFound, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isTestTwin, parseUuid, twinOf } from "../../kernel/ids.ts";
import type { Client, ListedClient, Partner } from "../../store/identity/identity-store.ts";
import type { Needs } from "../dependencies.ts";

export type PartnerDeps = Needs<"identities" | "clock" | "random">;

const maxNameLength = 255;
const maxLiveSecrets = 2;
const defaultPageSize = 100;

/** Adds a partner. @returns its id. Throws `invalid_request`. */
export async function createPartner(
  deps: PartnerDeps,
  { name, internal }: { name: string; internal: boolean },
  { signal }: Deadline,
): Promise<string> {
  refuseIfAny(nameViolations(name));
  const createdAt = new Date(deps.clock());
  const id = newId(createdAt, deps.random);
  await deps.identities.insertPartner({ id, name, internal, createdAt }, signal);
  return id;
}

/** A page to read. */
export interface PageRequest {
  /** 1 to 1000; 0 means 100. */
  readonly pageSize: number;
  /** Empty for the first page, else the cursor of the previous page. */
  readonly pageToken: string;
}

/** A page of partners by id. Throws `invalid_request`. */
export async function listPartners(
  deps: Needs<"identities">,
  page: PageRequest,
  { signal }: Deadline,
): Promise<{ partners: Partner[]; nextPageToken: string }> {
  const { after, size } = pageBounds(page);
  const found = await deps.identities.listPartners(after, size + 1, signal);
  return { partners: found.slice(0, size), nextPageToken: nextPageToken(found, size) };
}

/** A page of a partner's clients by id. Throws `not_found`, `invalid_request`. */
export async function listClients(
  deps: Needs<"identities">,
  { partnerId, ...page }: PageRequest & { partnerId: string },
  { signal }: Deadline,
): Promise<{ clients: ListedClient[]; nextPageToken: string }> {
  const { id } = await findPartner(deps, partnerId, signal);
  const { after, size } = pageBounds(page);
  const found = await deps.identities.listClients(id, after, size + 1, signal);
  return { clients: found.slice(0, size), nextPageToken: nextPageToken(found, size) };
}

/** The partner. Throws `not_found`. */
export function getPartner(deps: Needs<"identities">, id: string, { signal }: Deadline): Promise<Partner> {
  return findPartner(deps, id, signal);
}

/** Adds a client to a partner. @returns its id and its secret. Throws `not_found`, `invalid_request`. */
export async function createClient(
  deps: PartnerDeps,
  { partnerId, name, scopes }: { partnerId: string; name: string; scopes: readonly string[] },
  { signal }: Deadline,
): Promise<{ clientId: string; clientSecret: string }> {
  const partner = await findPartner(deps, partnerId, signal);
  refuseIfAny([...nameViolations(name), ...scopeViolations(scopes, partner)]);
  const createdAt = new Date(deps.clock());
  const clientId = newId(createdAt, deps.random);
  const clientSecret = newSecret("clientSecret", deps.random, isTestTwin(partner.id));
  const granted = [...new Set(scopes.filter(isScope))];
  const client = { id: clientId, partnerId: partner.id, name, scopes: granted, disabledAt: null, createdAt };
  await deps.identities.insertClient(client, { hash: hashSecret(clientSecret), clientId, createdAt }, signal);
  return { clientId, clientSecret };
}

/**
 * Adds a secret to a client; above two, the oldest is removed at once. Throws `not_found`.
 * @returns the secret, and the client's partner
 */
export async function rotateClientSecret(
  deps: PartnerDeps,
  id: string,
  { signal }: Deadline,
): Promise<{ partnerId: string; clientSecret: string }> {
  const client = await findClient(deps, id, signal);
  const clientSecret = newSecret("clientSecret", deps.random, isTestTwin(client.partnerId));
  const createdAt = new Date(deps.clock());
  const secret = { hash: hashSecret(clientSecret), clientId: client.id, createdAt };
  await deps.identities.addClientSecret(secret, maxLiveSecrets, signal);
  return { partnerId: client.partnerId, clientSecret };
}

/** Disables a client for good. Throws `not_found`. @returns the client */
export async function disableClient(deps: PartnerDeps, id: string, { signal }: Deadline): Promise<Client> {
  const client = await findClient(deps, id, signal);
  await deps.identities.disableClient(client.id, new Date(deps.clock()), signal);
  return client;
}

function pageBounds({ pageSize, pageToken }: PageRequest): { after: string; size: number } {
  const after = pageToken === "" ? NIL : parseUuid(pageToken);
  if (after === undefined) {
    const detail = "This page token was not given by the service.";
    throw invalidRequest([{ path: ["pageToken"], code: "invalid_format", detail }]);
  }
  return { after, size: pageSize === 0 ? defaultPageSize : pageSize };
}

/** @param found one more row than the page has, if there are more */
function nextPageToken(found: readonly { readonly id: string }[], size: number): string {
  return found.length > size ? (found[size - 1]?.id ?? "") : "";
}

async function findPartner(deps: Needs<"identities">, id: string, signal: AbortSignal): Promise<Partner> {
  const uuid = parseUuid(id);
  const partner = uuid && (await deps.identities.findPartner(uuid, signal));
  if (!partner) throw notFound();
  return partner;
}

async function findClient(deps: PartnerDeps, id: string, signal: AbortSignal): Promise<Client> {
  const uuid = parseUuid(id);
  const client = uuid && (await deps.identities.findClient(uuid, signal));
  if (!client) throw notFound();
  return client;
}

function nameViolations(name: string): Violation[] {
  const path = ["name"];
  return name.trim() === "" ? [{ path, code: "too_short", detail: "A name has at least 1 visible character." }] : [];
}

function scopeViolations(scopes: readonly string[], partner: Partner): Violation[] {
  return scopes.flatMap((scope, index) => scopeViolation(scope, partner, ["scopes", index]));
}

function scopeViolation(scope: Scope | string, partner: Partner, path: Violation["path"]): Violation[] {
  if (!isScope(scope)) {
    const known = partner.internal ? [...partnerScopes, ...internalScopes] : partnerScopes;
    return [{ path, code: "unknown_scope", detail: `There is no such scope. There are: ${known.join(", ")}.` }];
  }
  if (isInternalScope(scope) && !partner.internal) {
    return [{ path, code: "internal_scope", detail: "Only clients of an internal partner may hold this scope." }];
  }
  return [];
}

const mark = " (test)";

/**
 * Adds the test twin of a partner, unless it has one.
 * @returns the twin's id
 * Throws `not_found`, and `invalid_request` for a twin and for an internal partner, which have none.
 */
export async function createTestTwin(deps: PartnerDeps, partnerId: string, deadline: Deadline): Promise<string> {
  const partner = await getPartner(deps, partnerId, deadline);
  const id = partner.internal ? undefined : twinOf(partner.id);
  if (id === undefined) throw invalidRequest([{ path: ["partnerId"], code: "not_applicable", detail }]);
  const known = await deps.identities.findPartner(id, deadline.signal);
  if (known === undefined) {
    const name = [...partner.name].slice(0, maxNameLength - mark.length).join("") + mark;
    const twin = { id, name, internal: false, createdAt: new Date(deps.clock()) };
    await deps.identities.insertPartner(twin, deadline.signal);
  }
  return id;
}

const detail = "Only a partner that is neither internal nor a test twin itself has a test twin.";
