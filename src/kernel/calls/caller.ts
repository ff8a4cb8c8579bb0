// The key under which limits count a caller: the partner first, then its client. Without a token it is the network.
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { toPartnerId } from "../ids.ts";

export interface Caller {
  readonly partner: string;
  /** A client of the partner, or a session that a person answers. */
  readonly client: string;
}

/** A client of a partner. A test twin counts as its partner. */
export function toCaller(partnerId: string, clientId: string): Caller {
  return { partner: toPartnerId(partnerId) ?? partnerId, client: clientId };
}

/** A caller of whom only the network address is known. */
export function toNetworkCaller(address: string): Caller {
  const network = toNetwork(address);
  return { partner: network, client: network };
}

/** The sender of a message or connection, as far as it is known. */
export interface Sender {
  /** Undefined: unknown. */
  readonly caller: Caller | undefined;
  /** Network address. */
  readonly address: string;
}

/** Whose limits a sender counts against. */
export function toLimitKey({ caller, address }: Sender): Caller {
  return caller ?? toNetworkCaller(address);
}

const prefixGroups = 4;

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, since a single machine has
 * all the rest. Other texts are returned unchanged.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const parsedAddress = ipaddr.IPv6.parse(address);
  if (parsedAddress.isIPv4MappedAddress()) return parsedAddress.toIPv4Address().toString();
  const prefix = parsedAddress.parts.slice(0, prefixGroups);
  return `${prefix.map((group) => group.toString(16)).join(":")}::/64`;
}
