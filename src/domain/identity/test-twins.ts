// Test twins: how a partner gets one.

import type { Deadline } from "../../kernel/environment.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { twinOf } from "../../kernel/test-tenant.ts";
import { getPartner, maxNameLength, type PartnerDeps } from "./partners.ts";

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
