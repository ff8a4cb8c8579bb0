// Where webhooks may go, and what the host of a URL leads to.
import { Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Violation } from "../../kernel/errors/violation.ts";

/** Of IPv6, global unicast addresses are in 2000::/3 alone. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

export class AddressGuard {
  readonly #allowed = new BlockList();

  /** @param allowedNetworks in CIDR notation */
  constructor(allowedNetworks: readonly string[]) {
    for (const network of allowedNetworks) {
      const [address = "", prefix] = network.split("/");
      this.#allowed.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
    }
  }

  /** Whether webhooks may go to the address. @param isEncrypted what is not may go to allowed networks only */
  permits(address: string, isEncrypted: boolean): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address in the form of an IPv6 one is judged by what it is.
    const parsed = ipaddr.process(address);
    if (this.#allowed.check(parsed.toString(), parsed.kind())) return true;
    if (!isEncrypted || parsed.range() !== "unicast") return false;
    return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
  }

  /** Whether the operator allows the address, public or not. */
  isAllowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#allowed.check(parsed.toString(), parsed.kind());
  }
}

/** The addresses of a name; none if it has none, or nobody tells. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Twice within the time that a connection has. */
const resolverOptions = { timeout: 1_000, tries: 2 };

/** What every machine calls itself; no name server is asked (RFC 6761, section 6.3). */
const loopback = ["127.0.0.1", "::1"];

/**
 * Asks name servers. Unlike `dns.lookup`, which has four threads for all, a name that nobody answers for keeps no other
 * one waiting.
 * @param servers those to ask; undefined: those of the system
 */
export function nameResolver(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver(resolverOptions);
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    if (name === "localhost") return loopback;
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}

/** The address that a URL names itself; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? undefined : address;
}

/** The violations of a URL that webhooks shall go to. Plain http and addresses are for allowed networks only. */
export function destinationCheck(guard: AddressGuard, resolve: ResolveName) {
  return async (url: URL): Promise<readonly Violation[]> => {
    const path = ["url"];
    const literal = literalAddress(url);
    const addresses = literal === undefined ? await resolve(url.hostname) : [literal];
    const isAllowed = addresses.length > 0 && addresses.every((address) => guard.isAllowed(address));
    if (isAllowed) return [];
    if (url.protocol !== "https:") return [{ path, code: "not_https", detail: "The URL must begin with https." }];
    const isPublic = addresses.length > 0 && addresses.every((address) => guard.permits(address, true));
    if (literal === undefined && isPublic) return [];
    const detail = "The URL must have the name of a host that leads to public addresses only.";
    return [{ path, code: "not_public", detail }];
  };
}
