// pas partner …, pas client …: who may call.
import { recordAct } from "../../domain/audit/acts.ts";
import { parseUuid } from "../../domain/identifiers.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import {
  createClient,
  createPartner,
  createTestTwin,
  disableClient,
  rotateClientSecret,
} from "../../services/identity/partners.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { naming, unlessKnown } from "../faults.ts";

/** Adds a partner, and prints its id. */
export async function addPartner(context: CommandContext, options: { name: string; internal?: true }): Promise<void> {
  const partner = { name: options.name, internal: options.internal ?? false };
  const partnerId = await withDomain(context, (domain, deadline) =>
    recordAct(
      domain,
      { action: PartnerService.method.createPartner },
      () => naming(partner, createPartner(domain, partner, deadline)),
      (id) => ({ partnerId: id }),
    ),
  );
  context.print({ partnerId });
}

/** Gives a partner a test twin unless it has one, and prints the twin's id. */
export async function addTestTwin(context: CommandContext, twinOf: string): Promise<void> {
  const partnerId = await withDomain(context, (domain, deadline) =>
    recordAct(
      domain,
      { action: PartnerService.method.createTestTwin },
      () => createTestTwin(domain, twinOf, deadline),
      (id) => ({ partnerId: id }),
    ),
  ).catch(unlessKnown("partner"));
  context.print({ partnerId, twinOf });
}

export interface ClientOptions {
  /** Id of the partner that the client calls for. */
  readonly partner: string;
  readonly name: string;
  /** Separated by spaces. */
  readonly scopes: string;
}

/** Adds a client, and prints its credentials. */
export async function addClient(context: CommandContext, options: ClientOptions): Promise<void> {
  const scopes = options.scopes.split(/\s+/).filter((scope) => scope !== "");
  const client = { partnerId: options.partner, name: options.name, scopes };
  const created = await withDomain(context, (domain, deadline) =>
    recordAct(
      domain,
      { action: PartnerService.method.createClient, partnerId: parseUuid(options.partner) ?? null },
      () => naming(client, createClient(domain, client, deadline)),
      ({ clientId }) => ({ targetId: clientId }),
    ),
  ).catch(unlessKnown("partner"));
  context.print(created);
}

/** Gives a client a further secret, and prints it. */
export async function rotateSecret(context: CommandContext, clientId: string): Promise<void> {
  const { clientSecret } = await withDomain(context, (domain, deadline) =>
    recordAct(
      domain,
      { action: PartnerService.method.rotateClientSecret, targetId: parseUuid(clientId) ?? null },
      () => rotateClientSecret(domain, clientId, deadline),
      ({ partnerId }) => ({ partnerId }),
    ),
  ).catch(unlessKnown("client"));
  context.print({ clientId, clientSecret });
}

/** Ends a client and its tokens. */
export async function endClient(context: CommandContext, clientId: string): Promise<void> {
  await withDomain(context, (domain, deadline) =>
    recordAct(
      domain,
      { action: PartnerService.method.disableClient, targetId: parseUuid(clientId) ?? null },
      () => disableClient(domain, clientId, deadline),
      ({ partnerId }) => ({ partnerId }),
    ),
  ).catch(unlessKnown("client"));
  context.print({ clientId, disabled: true });
}
