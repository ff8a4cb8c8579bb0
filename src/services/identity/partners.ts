// Partners and their clients, as operators manage them.

import { NIL } from "uuid";
import { createId } from "../../domain/identifiers.ts";
import { internalScopes, isInternalScope, isScope, partnerScopes } from "../../domain/identity/scopes.ts";
import { createSecret, hashSecret } from "../../domain/identity/secrets.ts";
import type { ListClientsRequest, ListPartnersRequest } from "../../gen/assessment/v1/partner_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError, notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isTestTwin, parseUuid, toPartnerId, toTwinId } from "../../kernel/ids.ts";
import type { Client, Partner } from "../../store/identity/identity-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { parseCursor, readPage } from "../pages.ts";

const maxNameLength = 255;
const defaultPageSize = 100;

/** Adds a partner. @returns its id. Throws `invalid_request`. */
export async function createPartner(
  deps: Dependencies,
  { name, internal }: { name: string; internal: boolean },
  { signal }: Deadline,
): Promise<string> {
  throwIfInvalid(findNameViolations(name));
  const createdAt = new Date(deps.clock());
  const id = createId(createdAt, deps.random);
  await deps.identities.insertPartner({ id, name, internal, createdAt }, signal);
  return id;
}

/** A page of partners by id. Throws `invalid_request`. */
export async function listPartners(
  { identities }: Dependencies,
  page: Pick<ListPartnersRequest, "pageSize" | "pageToken">,
  { signal }: Deadline,
) {
  const { rows, nextPageToken } = await readIdPage(page, (after, limit) =>
    identities.listPartners(after, limit, signal),
  );
  const partners = rows.map((each) => ({ ...each, partnerId: each.id, twinOf: toPartnerId(each.id) }));
  return { partners, nextPageToken };
}

/** A page of a partner's clients by id. Throws `not_found`, `invalid_request`. */
export async function listClients(
  deps: Dependencies,
  { partnerId, ...page }: Pick<ListClientsRequest, "partnerId" | "pageSize" | "pageToken">,
  deadline: Deadline,
) {
  const { id } = await getPartner(deps, partnerId, deadline);
  const { rows, nextPageToken } = await readIdPage(page, (after, limit) =>
    deps.identities.listClients(id, after, limit, deadline.signal),
  );
  return { clients: rows.map((each) => ({ ...each, clientId: each.id })), nextPageToken };
}

/** The partner. Throws `not_found`. */
export async function getPartner({ identities }: Dependencies, id: string, { signal }: Deadline) {
  const uuid = parseUuid(id);
  const partner = uuid && (await identities.findPartner(uuid, signal));
  if (!partner) throw notFoundError();
  return partner;
}

/** Adds a client to a partner. @returns its id and its secret. Throws `not_found`, `invalid_request`. */
export async function createClient(
  deps: Dependencies,
  { partnerId, name, scopes }: { partnerId: string; name: string; scopes: readonly string[] },
  deadline: Deadline,
): Promise<{ clientId: string; clientSecret: string }> {
  const partner = await getPartner(deps, partnerId, deadline);
  throwIfInvalid([...findNameViolations(name), ...findScopeViolations(scopes, partner)]);
  const createdAt = new Date(deps.clock());
  const clientId = createId(createdAt, deps.random);
  const clientSecret = createSecret("clientSecret", deps.random, isTestTwin(partner.id));
  const grantedScopes = [...new Set(scopes.filter(isScope))];
  const client = { id: clientId, partnerId: partner.id, name, scopes: grantedScopes, disabledAt: null, createdAt };
  await deps.identities.insertClient(client, { hash: hashSecret(clientSecret), clientId, createdAt }, deadline.signal);
  return { clientId, clientSecret };
}

async function readIdPage<T extends { readonly id: string }>(
  { pageSize, pageToken }: Pick<ListPartnersRequest, "pageSize" | "pageToken">,
  read: (after: string, limit: number) => Promise<readonly T[]>,
) {
  const after = parseCursor(pageToken, parseUuid, "pageToken") ?? NIL;
  const readAfter = (limit: number) => read(after, limit);
  const { rows, next: nextPageToken } = await readPage(pageSize || defaultPageSize, readAfter, ({ id }) => id);
  return { rows, nextPageToken };
}

/** The client. Throws `not_found`. */
export async function getClient({ identities }: Dependencies, id: string, { signal }: Deadline): Promise<Client> {
  const uuid = parseUuid(id);
  const client = uuid && (await identities.findClient(uuid, signal));
  if (!client) throw notFoundError();
  return client;
}

function findNameViolations(name: string): Violation[] {
  const path = ["name"];
  return name.trim() === "" ? [{ path, code: "too_short", detail: "A name has at least 1 visible character." }] : [];
}

function findScopeViolations(scopes: readonly string[], { internal }: Partner): Violation[] {
  const allowedScopes = internal ? [...partnerScopes, ...internalScopes] : partnerScopes;
  return scopes.flatMap((scope, index): Violation[] => {
    const path = ["scopes", index];
    if (!isScope(scope)) {
      return [
        { path, code: "unknown_scope", detail: `There is no such scope. There are: ${allowedScopes.join(", ")}.` },
      ];
    }
    if (!isInternalScope(scope) || internal) return [];
    return [{ path, code: "internal_scope", detail: "Only clients of an internal partner may hold this scope." }];
  });
}

const testNameSuffix = " (test)";

/** Adds the test twin of a partner, unless it has one. @returns its id. Throws `not_found` and `invalid_request`. */
export async function createTestTwin(deps: Dependencies, partnerId: string, deadline: Deadline): Promise<string> {
  const partner = await getPartner(deps, partnerId, deadline);
  const id = partner.internal ? undefined : toTwinId(partner.id);
  if (id === undefined) throw invalidFieldError(["partnerId"], "not_applicable", noTwinDetail);
  const storedTwin = await deps.identities.findPartner(id, deadline.signal);
  if (storedTwin === undefined) {
    const name = [...partner.name].slice(0, maxNameLength - testNameSuffix.length).join("") + testNameSuffix;
    const twin = { id, name, internal: false, createdAt: new Date(deps.clock()) };
    await deps.identities.insertPartner(twin, deadline.signal);
  }
  return id;
}

const noTwinDetail = "Only a partner that is neither internal nor a test twin itself has a test twin.";
