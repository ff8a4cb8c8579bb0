// Whom limits count: the partner first, then one of its clients. Who has no token is its network.
import { networkOf } from "../calls/network.ts";
import { partnerOfTwin } from "../test-tenant.ts";

export interface Caller {
  readonly partner: string;
  /** A client of the partner, or a session that a person answers. */
  readonly client: string;
}

/** A client of a partner. A test twin counts as its partner. */
export function callerOf(partnerId: string, clientId: string): Caller {
  return { partner: partnerOfTwin(partnerId) ?? partnerId, client: clientId };
}

/** Somebody of whom no more than the network address is known. */
export function strangerAt(address: string): Caller {
  const network = networkOf(address);
  return { partner: network, client: network };
}
