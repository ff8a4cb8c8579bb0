// Whom a network address stands for.
import { isIPv6 } from "node:net";

const prefixGroups = 4;

/**
 * What limits count an address as: an IPv4 address is itself, of an IPv6 address the first 64 bits count, since a single
 * machine has all the rest to itself. Anything else stays as it is.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = ""] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const prefix = Array.from({ length: prefixGroups }, (_, index) => Number.parseInt(groups[index] ?? "0", 16));
  return `${prefix.map((group) => group.toString(16)).join(":")}::/64`;
}
