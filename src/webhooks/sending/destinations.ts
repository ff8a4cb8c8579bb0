// Which addresses webhooks may be sent to, and the look-up of host names.
import { Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Violation } from "../../kernel/errors/violation.ts";

/** Global unicast addresses of IPv6 are in 2000::/3 only. */
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

  /** Whether webhooks may be sent to the address. @param isEncrypted without TLS only allowed networks are permitted */
  permits(address: string, isEncrypted: boolean): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4-mapped IPv6 address is checked as IPv4.
    const parsed = ipaddr.process(address);
    if (this.#allowed.check(parsed.toString(), parsed.kind())) return true;
    if (!isEncrypted || parsed.range() !== "unicast") return false;
    return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
  }

  /** Whether the operator allows the address, even if it is private. */
  isAllowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#allowed.check(parsed.toString(), parsed.kind());
  }
}

/** The addresses of a name; none if it has none, or no server answers. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Two tries fit into the time limit of a connection. */
const resolverOptions = { timeout: 1_000, tries: 2 };

/** localhost is never looked up (RFC 6761, section 6.3). */
const loopback = ["127.0.0.1", "::1"];

/**
 * Looks names up. Unlike `dns.lookup`, which has four threads for all, one name without an answer does not delay others.
 * @param servers undefined: those of the system
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

/** The address in a URL; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? undefined : address;
}

/** The violations of a webhook URL. Plain http and addresses are for allowed networks only. */
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
