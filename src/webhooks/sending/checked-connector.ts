// Opens connections for webhooks, to checked addresses only.
import { connect, isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { LRUCache } from "lru-cache";
import type { buildConnector } from "undici";
import type { AddressGuard, ResolveName } from "./destinations.ts";
import { SendError } from "./send-error.ts";

/** From the first DNS query to the end of the handshake. */
const connectTimeoutMs = 3_000;
/** Hosts whose TLS sessions are cached, for a shorter handshake the next time. */
const maxSessions = 1_000;

export interface ConnectorDeps {
  readonly guard: AddressGuard;
  readonly resolve: ResolveName;
}

/** Opens connections to permitted addresses only: checked before connecting, and again when connected. */
export function checkedConnector(deps: ConnectorDeps): buildConnector.connector {
  const sessions = new LRUCache<string, Buffer>({ max: maxSessions });
  return ({ hostname, protocol, port }, callback) => {
    // Node does not call `lookup` for an address.
    if (isIP(hostname) !== 0 && !deps.guard.isAllowed(hostname)) {
      process.nextTick(callback, new SendError("not_public"), null);
      return;
    }
    const isEncrypted = protocol === "https:";
    const to = {
      host: hostname,
      port: Number(port || (isEncrypted ? 443 : 80)),
      lookup: checkedLookup(deps, isEncrypted),
    };
    const place = `${to.host}:${to.port}`;
    const session = sessions.get(place);
    // Server name indication must be set by hand; one address may serve many certificates.
    const name = isIP(hostname) === 0 ? { servername: hostname } : {};
    const tls = { ...name, ...(session === undefined ? {} : { session }), ALPNProtocols: ["http/1.1"] };
    const socket: Socket = isEncrypted
      ? connectTls({ ...to, ...tls }).on("session", (fresh) => sessions.set(place, fresh))
      : connect(to);
    let isOver = false;
    const end = (...result: Parameters<typeof callback>) => {
      isOver = true;
      clearTimeout(timer);
      callback(...result);
    };
    const timer = setTimeout(() => socket.destroy(new SendError("connect_timeout")), connectTimeoutMs);
    socket.setNoDelay(true);
    socket.once("connect", () => {
      if (!deps.guard.permits(socket.remoteAddress ?? "", isEncrypted)) socket.destroy(new SendError("not_public"));
      else if (!isEncrypted) end(null, socket);
    });
    socket.once("secureConnect", () => end(null, socket));
    socket.once("error", (error) => isOver || end(error, null));
    socket.once("close", () => isOver || end(new SendError("connection_lost"), null));
  };
}

/** Every address of the name must be permitted; one of them is used. */
function checkedLookup({ guard, resolve }: ConnectorDeps, isEncrypted: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const refuse = (code: string) => callback(new SendError(code), []);
        if (addresses.length === 0) return refuse("name_not_found");
        if (!addresses.every((address) => guard.permits(address, isEncrypted))) return refuse("not_public");
        const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new SendError("name_not_found"), []),
    );
  };
}
