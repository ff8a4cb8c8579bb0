// Partners and their clients, as operators manage them.

import { isLongerThan } from "../../rules/texts.ts";
import type { Violation } from "../../rules/violation.ts";
import type { Clock, Deadline, RandomBytes } from "../environment.ts";
import { invalidRequest, notFound, refuseIfAny } from "../errors.ts";
import { newId, parseUuid } from "../identifiers.ts";
import type { Client, IdentityStore, Partner } from "../ports/identities.ts";
import { isInternalScope, isScope, scopes as known, type Scope } from "./scopes.ts";
import { hashSecret, newSecret } from "./secrets.ts";

export interface PartnerDeps {
  readonly identities: IdentityStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const maxNameLength = 255;
const maxLiveSecrets = 2;
const defaultPageSize = 100;
const maxPageSize = 1000;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

/** Adds a partner. @returns its id. Throws `invalid_request`. */
export async function createPartner(
  deps: PartnerDeps,
  { name, internal }: { name: string; internal: boolean },
  { signal }: Deadline,
): Promise<string> {
  refuseIfAny(nameFaults(name));
  const id = newId(deps.clock, deps.random);
  await deps.identities.insertPartner({ id, name, internal, createdAt: new Date(deps.clock()) }, signal);
  return id;
}

/**
 * A page of partners by id.
 * @param pageSize 1 to 1000; 0 means 100
 * @param pageToken empty for the first page, else the one that came with the page before
 */
export async function listPartners(
  deps: Pick<PartnerDeps, "identities">,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
  { signal }: Deadline,
): Promise<{ partners: Partner[]; nextPageToken: string }> {
  const after = pageToken === "" ? beforeAllIds : parseUuid(pageToken);
  const faults: Violation[] = [];
  if (pageSize < 0 || pageSize > maxPageSize) {
    faults.push({ path: ["pageSize"], code: "out_of_range", detail: `A page has 1 to ${maxPageSize} partners.` });
  }
  if (after === undefined) {
    faults.push({
      path: ["pageToken"],
      code: "invalid_format",
      detail: "This page token was not given by the service.",
    });
  }
  if (after === undefined || faults.length > 0) throw invalidRequest(faults);
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  const found = await deps.identities.listPartners(after, size + 1, signal);
  const partners = found.slice(0, size);
  return { partners, nextPageToken: found.length > size ? (partners.at(-1)?.id ?? "") : "" };
}

/** Adds a client to a partner. @returns its id and its secret. Throws `not_found`, `invalid_request`. */
export async function createClient(
  deps: PartnerDeps,
  { partnerId, name, scopes }: { partnerId: string; name: string; scopes: readonly string[] },
  { signal }: Deadline,
): Promise<{ clientId: string; clientSecret: string }> {
  const partner = await findPartner(deps, partnerId, signal);
  refuseIfAny([...nameFaults(name), ...scopeFaults(scopes, partner)]);
  const clientId = newId(deps.clock, deps.random);
  const createdAt = new Date(deps.clock());
  const clientSecret = newSecret("clientSecret", deps.random);
  const granted = [...new Set(scopes.filter(isScope))];
  const client = { id: clientId, partnerId: partner.id, name, scopes: granted, disabledAt: null, createdAt };
  await deps.identities.insertClient(client, { hash: hashSecret(clientSecret), clientId, createdAt }, signal);
  return { clientId, clientSecret };
}

/** Gives a client a further secret; of three the oldest ends at once. @returns the secret. Throws `not_found`. */
export async function rotateClientSecret(deps: PartnerDeps, id: string, { signal }: Deadline): Promise<string> {
  const client = await findClient(deps, id, signal);
  const clientSecret = newSecret("clientSecret", deps.random);
  const createdAt = new Date(deps.clock());
  const secret = { hash: hashSecret(clientSecret), clientId: client.id, createdAt };
  await deps.identities.addClientSecret(secret, maxLiveSecrets, signal);
  return clientSecret;
}

/** Ends a client for good. Throws `not_found`. */
export async function disableClient(deps: PartnerDeps, id: string, { signal }: Deadline): Promise<void> {
  const client = await findClient(deps, id, signal);
  await deps.identities.disableClient(client.id, new Date(deps.clock()), signal);
}

async function findPartner(deps: PartnerDeps, id: string, signal: AbortSignal): Promise<Partner> {
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

function nameFaults(name: string): Violation[] {
  const path = ["name"];
  if (name.trim() === "") return [{ path, code: "too_short", detail: "A name has at least 1 visible character." }];
  if (isLongerThan(name, maxNameLength)) {
    return [{ path, code: "too_long", detail: `A name has at most ${maxNameLength} characters.` }];
  }
  return [];
}

function scopeFaults(scopes: readonly string[], partner: Partner): Violation[] {
  if (scopes.length === 0)
    return [{ path: ["scopes"], code: "too_few_items", detail: "A client has at least 1 scope." }];
  return scopes.flatMap((scope, index) => scopeFault(scope, partner, ["scopes", index]));
}

function scopeFault(scope: Scope | string, partner: Partner, path: Violation["path"]): Violation[] {
  if (!isScope(scope))
    return [{ path, code: "unknown_scope", detail: `There is no such scope. There are: ${known.join(", ")}.` }];
  if (isInternalScope(scope) && !partner.internal) {
    return [{ path, code: "internal_scope", detail: "Only clients of an internal partner may hold this scope." }];
  }
  return [];
}
