// pas partner list|show, pas client list: who there is.

import type { Deadline } from "../../kernel/environment.ts";
import { partnerOfTwin } from "../../kernel/test-tenant.ts";
import type { Domain } from "../../process/core.ts";
import { getBranding } from "../../services/hosted/branding.ts";
import { getPartner, listClients, listPartners } from "../../services/identity/partners.ts";
import type { ListedClient, Partner } from "../../store/identity/identity-store.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { unlessKnown } from "../faults.ts";

const pageSize = 1000;

/** Prints every partner. */
export async function showPartners(context: CommandContext): Promise<void> {
  const partners = await withDomain(context, (domain, deadline) =>
    allPages(async (pageToken) => {
      const page = await listPartners(domain, { pageSize, pageToken }, deadline);
      return { entries: page.partners, nextPageToken: page.nextPageToken };
    }),
  );
  context.print(partners.map(toJson));
}

/** Prints a partner with its branding and its clients. */
export async function showPartner(context: CommandContext, partnerId: string): Promise<void> {
  const shown = await withDomain(context, async (domain, deadline) => ({
    ...toJson(await getPartner(domain, partnerId, deadline)),
    branding: await getBranding(domain, partnerId, deadline),
    clients: await clientsOf(domain, partnerId, deadline),
  })).catch(unlessKnown("partner"));
  context.print(shown);
}

/** Prints every client of a partner. */
export async function showClients(context: CommandContext, { partner }: { partner: string }): Promise<void> {
  const clients = await withDomain(context, (domain, deadline) => clientsOf(domain, partner, deadline)).catch(
    unlessKnown("partner"),
  );
  context.print(clients);
}

async function clientsOf(domain: Domain, partnerId: string, deadline: Deadline): Promise<object[]> {
  const clients = await allPages(async (pageToken) => {
    const page = await listClients(domain, { partnerId, pageSize, pageToken }, deadline);
    return { entries: page.clients, nextPageToken: page.nextPageToken };
  });
  return clients.map(toClientJson);
}

/** The entries of all pages, which are as many as operators have made by hand. */
async function allPages<T>(
  read: (pageToken: string) => Promise<{ entries: readonly T[]; nextPageToken: string }>,
): Promise<T[]> {
  const all: T[] = [];
  let pageToken = "";
  do {
    const page = await read(pageToken);
    all.push(...page.entries);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return all;
}

function toJson({ id, name, internal, createdAt }: Partner) {
  const twinOf = partnerOfTwin(id);
  return { partnerId: id, name, internal, createdAt, ...(twinOf === undefined ? {} : { twinOf }) };
}

function toClientJson({ id, ...client }: ListedClient) {
  const { name, scopes, createdAt, disabledAt, secretsCreatedAt, lastUsedAt } = client;
  return { clientId: id, name, scopes, createdAt, disabledAt, secretsCreatedAt, lastUsedAt };
}
