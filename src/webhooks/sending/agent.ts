// The HTTP client of webhooks: it connects to checked addresses only, and keeps connections for the rest of a burst.
import { isIP, isIPv6, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import type { AddressGuard, ResolveName } from "./destinations.ts";
import { SendError } from "./send-error.ts";

/** From the first DNS query to the end of the handshake. */
const connectTimeoutMs = 3_000;
/** Servers keep idle connections longer: none closes one while it is used again. It also limits how many are idle. */
const idleTimeoutMs = 1_000;
const maxHeaderSize = 16 * 1024;
/** Hosts whose TLS sessions are cached, for a shorter handshake the next time. */
const maxCachedSessions = 1_000;

export interface ConnectorDeps {
  readonly guard: AddressGuard;
  readonly resolve: ResolveName;
}

/** The client. Its requests have no timeout but their signal. */
export function createWebhookAgent(deps: ConnectorDeps): Agent {
  return new Agent({
    connect: createConnector(deps),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Opens connections to permitted addresses only: checked before connecting, and again when connected. */
function createConnector(deps: ConnectorDeps): buildConnector.connector {
  const build = (isEncrypted: boolean) =>
    buildConnector({
      allowH2: false,
      timeout: connectTimeoutMs,
      maxCachedSessions,
      lookup: createLookup(deps, isEncrypted),
    });
  const [plain, tlsConnector] = [build(false), build(true)];
  return (options, callback) => {
    const isEncrypted = options.protocol === "https:";
    // Node does not call `lookup` for an address.
    if (isIP(options.hostname) !== 0 && !deps.guard.isAllowed(options.hostname)) {
      process.nextTick(callback, new SendError("not_public"), null);
      return;
    }
    const connect = isEncrypted ? tlsConnector : plain;
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (deps.guard.isPermitted(socket.remoteAddress ?? "", isEncrypted)) return callback(null, socket);
      socket.destroy();
      callback(new SendError("not_public"), null);
    });
  };
}

/** Every address of the name must be permitted; one of them is used. */
function createLookup({ guard, resolve }: ConnectorDeps, isEncrypted: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const refuse = (code: string) => callback(new SendError(code), []);
        if (addresses.length === 0) return refuse("name_not_found");
        if (!addresses.every((address) => guard.isPermitted(address, isEncrypted))) return refuse("not_public");
        const lookupAddresses = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = lookupAddresses;
        if (options.all) callback(null, lookupAddresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
