// Whom a network address stands for.
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

const prefixGroups = 4;

/**
 * What limits count an address as: an IPv4 address is itself, of an IPv6 address the first 64 bits count, since a single
 * machine has all the rest to itself. Anything else stays as it is.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const prefix = parsed.parts.slice(0, prefixGroups);
  return `${prefix.map((group) => group.toString(16)).join(":")}::/64`;
}
