// Whom an address stands for, behind proxies that are trusted.
import { isIP } from "node:net";
import { compile } from "@fastify/proxy-addr";

/** Longer lists of addresses are cut: no chain of proxies is this long. */
const maxHops = 32;
/** An address with the port that some proxies append, for example `192.0.2.1:5678`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withPort = /^(?:([0-9.]+):[0-9]{1,5}|\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?)$/;

/** Whether an address is that of a trusted proxy. @param trusted networks in CIDR notation */
export function proxyTest(trusted: readonly string[]): (address: string) => boolean {
  if (trusted.length === 0) return () => false;
  const isTrusted = compile([...trusted]);
  return (address) => isTrusted(address, 0);
}

/**
 * The caller's address: the peer's, or, if that is a trusted proxy, the last one of X-Forwarded-For that is none. A hop
 * that is no address counts as the one that named it: the hop before it, on the way from here to the caller.
 * @param trusted networks in CIDR notation
 */
export function addressBehind(trusted: readonly string[]): (peer: string, forwardedFor: string | undefined) => string {
  if (trusted.length === 0) return (peer) => peer;
  const isTrusted = proxyTest(trusted);
  return (peer, forwardedFor) => {
    const hops = (forwardedFor ?? "").split(",").slice(-maxHops).reverse();
    let caller = peer;
    for (const hop of hops) {
      if (!isTrusted(caller)) break;
      const named = hop.trim();
      if (named === "") continue;
      const address = withoutPort(named);
      if (address === undefined) break;
      caller = address;
    }
    return caller;
  };
}

/** The address of a hop. Undefined if it is none. */
function withoutPort(hop: string): string | undefined {
  if (isIP(hop) !== 0) return hop;
  const found = withPort.exec(hop);
  const address = found?.[1] ?? found?.[2] ?? "";
  return isIP(address) === 0 ? undefined : address;
}
