// Which addresses webhooks may be sent to, and the look-up of host names.
import { NODATA, NOTFOUND, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Violation } from "../../kernel/errors/violation.ts";
import { SendError } from "./send-error.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Global unicast addresses of IPv6 are in 2000::/3 only. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
/** IPv4 addresses as an IPv6-only network reaches them: its name servers answer so for hosts without IPv6 (RFC 6052). */
const nat64 = ipaddr.parseCIDR("64:ff9b::/96");
/** Look public, and are services inside of clouds: the wire server of Azure, and the services of IBM Cloud. */
const cloudServiceNetworks = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((each) =>
  ipaddr.parseCIDR(each),
);

export class AddressGuard {
  readonly #allowed: readonly Network[];

  /** @param allowedNetworks in CIDR notation */
  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether webhooks may be sent to the address. @param isEncrypted without TLS only allowed networks are permitted */
  isPermitted(address: string, isEncrypted: boolean): boolean {
    if (this.isAllowed(address)) return true;
    const target = findTarget(address);
    if (!isEncrypted || target?.range() !== "unicast" || isIn(target, cloudServiceNetworks)) return false;
    return target.kind() === "ipv4" || isIn(target, [globalUnicast]);
  }

  /** Whether the operator allows the address, even if it is private. */
  isAllowed(address: string): boolean {
    const target = findTarget(address);
    return target !== undefined && isIn(target, this.#allowed);
  }
}

/** The address that packets go to: the IPv4 address within it, if it is mapped or leads through a NAT64. */
function findTarget(text: string): Address | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return isIn(address, [nat64]) ? ipaddr.fromByteArray(address.toByteArray().slice(-4)) : address;
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some((network) => address.kind() === network[0].kind() && address.match(network));
}

/** The addresses of a name; none if it has none. Rejects with `name_server_failed` if that is not known. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Two tries fit into the time limit of a connection. */
const resolverOptions = { timeout: 1_000, tries: 2 };

/** localhost is never looked up (RFC 6761, section 6.3). */
const loopback = ["127.0.0.1", "::1"];
/** Answers of a name server for a name without such an address. The last one: it cannot be a name. */
const nameNotFoundCodes: readonly string[] = [NODATA, NOTFOUND, "EBADNAME"];

/**
 * Looks names up as the system does: in its file of hosts, then by its name servers. Unlike `dns.lookup`, which has four
 * threads for all, one name without an answer does not delay others.
 * @param servers undefined: those of the system
 */
export function createNameResolver(servers?: readonly string[], hostsFile = "/etc/hosts"): ResolveName {
  const resolver = new Resolver(resolverOptions);
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    if (name === "localhost" || name.endsWith(".localhost")) return loopback;
    const local = await findHostsFileAddresses(hostsFile, name);
    if (local.length > 0) return local;
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const hasAnswer = answers.every(
      (answer) => answer.status === "fulfilled" || nameNotFoundCodes.includes(answer.reason.code),
    );
    if (addresses.length === 0 && !hasAnswer) throw new SendError("name_server_failed");
    return addresses;
  };
}

/** The addresses of a name in a file of hosts, as Docker and Kubernetes write names into it; none without such a file. */
async function findHostsFileAddresses(hostsFile: string, name: string): Promise<readonly string[]> {
  const text = await readFile(hostsFile, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [address] : [];
  });
}

const maxHrefLength = 2048;

/** The violations of a webhook URL, whose name it resolves. Plain http and addresses are for allowed networks only. */
export function createDestinationCheck(guard: AddressGuard, resolve: ResolveName) {
  return async (text: string): Promise<readonly Violation[]> => {
    const violation = (code: string, detail: string) => [{ path: ["url"], code, detail }];
    const url = text.isWellFormed() ? URL.parse(text) : null;
    // The href is what is stored and used: encoded, it may be longer than the text.
    if (url === null || url.href.length > maxHrefLength || !["http:", "https:"].includes(url.protocol)) {
      return violation("invalid_format", `Must be an absolute https URL of at most ${maxHrefLength} characters.`);
    }
    if (url.username !== "" || url.password !== "") {
      const detail = "The URL must not contain a user name or password: deliveries are signed instead.";
      return violation("has_credentials", detail);
    }
    if (url.hash !== "") return violation("invalid_format", "A fragment never reaches the receiver.");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isLiteral = isIP(host) !== 0;
    const addresses = isLiteral ? [host] : await resolve(host).catch(() => undefined);
    if (addresses === undefined) {
      return violation("name_server_failed", "No name server answers for the host name of the URL: try again.");
    }
    if (addresses.length === 0) return violation("name_not_found", "The host name of the URL has no address.");
    if (addresses.every((address) => guard.isAllowed(address))) return [];
    if (url.protocol !== "https:") return violation("not_https", "The URL must begin with https.");
    if (!addresses.every((address) => guard.isPermitted(address, true))) {
      return violation("not_public", "The host of the URL must have public addresses only.");
    }
    return isLiteral ? violation("is_address", "The URL must have a host name, not an address.") : [];
  };
}
