// The roles of a process, and what each cannot start without.
import type { Config } from "../../config.ts";

/** Everything, calls, REST and pages in front of a remote core, or webhooks alone. */
export type Role = (typeof roles)[number];
export const roles = ["all", "core", "gateway", "deliver"] as const;

/** The reason why a process of the role cannot start with these settings; undefined: it can. */
export function findRoleFault(role: Role, config: Config): string | undefined {
  const { GATEWAY_CLIENT_ID: clientId, GATEWAY_CLIENT_SECRET: clientSecret } = config;
  if (role === "gateway" && (clientId === undefined || clientSecret === undefined)) {
    return "--role gateway needs GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET, of a client of an internal partner with the scope gateway";
  }
  // The embedded server comes with a key of its own.
  if (role === "deliver" && config.WEBHOOK_KEY === undefined && config.DATABASE_URL !== undefined) {
    return "--role deliver needs WEBHOOK_KEY, the key that opens the secrets of webhooks: the same as at the other processes";
  }
  return undefined;
}
