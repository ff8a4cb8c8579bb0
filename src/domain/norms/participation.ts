// Whether a partner's people count for norms of all partners.

import type { Deadline } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { parseUuid, subjectOf } from "../identifiers.ts";
import type { NormPoolStore, Participation } from "./pool-port.ts";

export interface ParticipationDeps {
  readonly normPools: Pick<NormPoolStore, "findParticipation" | "saveParticipation">;
  readonly identities: { findPartner(id: string, signal: AbortSignal): Promise<{ readonly id: string } | undefined> };
}

export interface PoolMembershipDeps {
  readonly normPools: Pick<NormPoolStore, "findParticipation">;
}

const none: Participation = { takesPart: false, isExcluded: false };

/** Whether a partner takes part; changed, if something is given. Throws `not_found`. */
export async function setParticipation(
  { normPools, identities }: ParticipationDeps,
  partnerId: string,
  changes: Partial<Participation>,
  { signal }: Deadline,
): Promise<Participation> {
  const id = parseUuid(partnerId);
  const partner = id && (await identities.findPartner(id, signal));
  if (!partner) throw notFound();
  const current = (await normPools.findParticipation(partner.id, signal)) ?? none;
  if (Object.keys(changes).length === 0) return current;
  const changed = { ...current, ...changes };
  await normPools.saveParticipation(partner.id, changed, signal);
  return changed;
}

/** Whether the answers of a session may come to count for norms of all partners. */
export async function mayJoinPool(
  { normPools }: PoolMembershipDeps,
  { partnerId, externalId }: { readonly partnerId: string; readonly externalId: string },
  signal: AbortSignal,
): Promise<boolean> {
  if (isTestTwin(partnerId) || subjectOf(partnerId, externalId).anonymous) return false;
  const { takesPart, isExcluded } = (await normPools.findParticipation(partnerId, signal)) ?? none;
  return takesPart && !isExcluded;
}
