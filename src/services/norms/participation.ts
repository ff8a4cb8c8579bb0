// Whether a partner's people are included in norms of all partners.

import { subjectOf } from "../../domain/identifiers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { isTestTwin, parseUuid } from "../../kernel/ids.ts";
import type { Participation } from "../../store/norms/pool-store.ts";
import type { Needs } from "../dependencies.ts";

const none: Participation = { since: null, isExcluded: false };

/** Whether a partner takes part, and since when; changed if a value is given. Throws `not_found`. */
export async function setParticipation(
  { normPools, identities, clock }: Needs<"normPools" | "identities" | "clock">,
  partnerId: string,
  { takesPart, isExcluded }: { readonly takesPart?: boolean; readonly isExcluded?: boolean },
  { signal }: Deadline,
): Promise<Participation> {
  const id = parseUuid(partnerId);
  const partner = id && (await identities.findPartner(id, signal));
  if (!partner) throw notFound();
  const current = (await normPools.findParticipation(partner.id, signal)) ?? none;
  if (takesPart === undefined && isExcluded === undefined) return current;
  const since = takesPart ? (current.since ?? new Date(clock())) : null;
  const changed = {
    since: takesPart === undefined ? current.since : since,
    isExcluded: isExcluded ?? current.isExcluded,
  };
  await normPools.saveParticipation(partner.id, changed, signal);
  return changed;
}

/** Whether the answers of a session may be included in norms of all partners. */
export async function mayJoinPool(
  { normPools }: Needs<"normPools">,
  { partnerId, externalId, createdAt }: Pick<StoredSession, "partnerId" | "externalId" | "createdAt">,
  signal: AbortSignal,
): Promise<boolean> {
  if (isTestTwin(partnerId) || subjectOf(partnerId, externalId).anonymous) return false;
  const { since, isExcluded } = (await normPools.findParticipation(partnerId, signal)) ?? none;
  return since !== null && createdAt >= since && !isExcluded;
}
