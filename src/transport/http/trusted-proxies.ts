// Whom an address stands for, behind proxies that are trusted.
import { compile } from "@fastify/proxy-addr";

/** Longer lists of addresses are cut: no chain of proxies is this long. */
const maxHops = 32;

/**
 * The caller's address: the peer's, or, if that is a trusted proxy, the last one of X-Forwarded-For that is none.
 * @param trusted networks in CIDR notation
 */
export function addressBehind(trusted: readonly string[]): (peer: string, forwardedFor: string | undefined) => string {
  if (trusted.length === 0) return (peer) => peer;
  const isTrusted = compile([...trusted]);
  return (peer, forwardedFor) => {
    const hops = [...(forwardedFor ?? "").split(",").map((hop) => hop.trim()), peer].slice(-maxHops).reverse();
    return hops.find((hop, index) => hop !== "" && !isTrusted(hop, index)) ?? peer;
  };
}
