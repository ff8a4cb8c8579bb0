// Where webhooks may go: to public addresses, and to networks that the operator allows.
import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
