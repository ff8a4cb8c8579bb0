// Which addresses webhooks may be sent to, and the look-up of host names.
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Violation } from "../../kernel/errors/violation.ts";

/** Global unicast addresses of IPv6 are in 2000::/3 only. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

export class AddressGuard {
  readonly #allowed: readonly ReturnType<typeof ipaddr.parseCIDR>[];

  /** @param allowedNetworks in CIDR notation */
  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether webhooks may be sent to the address. @param isEncrypted without TLS only allowed networks are permitted */
  permits(address: string, isEncrypted: boolean): boolean {
    if (this.isAllowed(address)) return true;
    if (!isEncrypted || !ipaddr.isValid(address)) return false;
    // An IPv4-mapped IPv6 address is checked as IPv4.
    const parsed = ipaddr.process(address);
    if (parsed.range() !== "unicast") return false;
    return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
  }

  /** Whether the operator allows the address, even if it is private. */
  isAllowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#allowed.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
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

const maxHrefLength = 2048;

/** The violations of a webhook URL, whose name it resolves. Plain http and addresses are for allowed networks only. */
export function destinationCheck(guard: AddressGuard, resolve: ResolveName) {
  return async (text: string): Promise<readonly Violation[]> => {
    const refused = (code: string, detail: string) => [{ path: ["url"], code, detail }];
    const url = text.isWellFormed() ? URL.parse(text) : null;
    // The href is what is stored and used: encoded, it may be longer than the text.
    if (url === null || url.href.length > maxHrefLength || !["http:", "https:"].includes(url.protocol)) {
      return refused("invalid_format", `Must be an absolute https URL of at most ${maxHrefLength} characters.`);
    }
    if (url.username !== "" || url.password !== "") {
      const detail = "The URL must not contain a user name or password: deliveries are signed instead.";
      return refused("has_credentials", detail);
    }
    if (url.hash !== "") return refused("invalid_format", "A fragment never reaches the receiver.");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isLiteral = isIP(host) !== 0;
    const addresses = isLiteral ? [host] : await resolve(host);
    const isAllowed = addresses.length > 0 && addresses.every((address) => guard.isAllowed(address));
    if (isAllowed) return [];
    if (url.protocol !== "https:") return refused("not_https", "The URL must begin with https.");
    const isPublic = addresses.length > 0 && addresses.every((address) => guard.permits(address, true));
    if (!isLiteral && isPublic) return [];
    return refused("not_public", "The URL must have the name of a host that leads to public addresses only.");
  };
}
