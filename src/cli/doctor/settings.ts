// Whether what production needs is set for the role: without it some of the service is off, or the process ends at once.
import { type Config, variables } from "../../config.ts";
import { meantName } from "../../kernel/json/meant-names.ts";
import type { Role } from "../serving/serve.ts";
import type { Finding } from "./finding.ts";

const newKey = "`openssl rand -base64 32` makes one";

/** Looks at keys and addresses. The embedded server, which is for trying things out, needs none of them. */
export function checkSettings(config: Config, role: Role): Finding[] {
  if (role === "gateway") return [gatewayClient(config), publicUrl(config, role)];
  if (config.DATABASE_URL === undefined) return [];
  if (role === "deliver") return [webhookKey(config, role)];
  return [webhookKey(config, role), auditKey(config), publicUrl(config, role)];
}

/** Variables that the service does not know, with names that are almost those that it knows. */
export function checkNames({ setNames }: Config): Finding[] {
  return setNames.flatMap((name): Finding[] => {
    const meant = meantName(name, Object.keys(variables));
    if (meant === undefined) return [];
    return [{ state: "warn", about: "variables", words: `${name} is not read; did you mean ${meant}?` }];
  });
}

function webhookKey({ WEBHOOK_KEY: keys }: Config, role: Role): Finding {
  const about = "webhook key";
  if (keys !== undefined) return { state: "ok", about, words: `${keys.length} in WEBHOOK_KEY; the first one seals` };
  if (role === "deliver") {
    const words =
      "WEBHOOK_KEY is not set: `pas serve --role deliver` ends at once; set the same as at the other processes";
    return { state: "fail", about, words };
  }
  return { state: "warn", about, words: `WEBHOOK_KEY is not set: partners can make no webhooks; ${newKey}` };
}

function auditKey({ AUDIT_KEY: keys }: Config): Finding {
  const about = "audit key";
  if (keys !== undefined) return { state: "ok", about, words: `${keys.length} in AUDIT_KEY; the first one signs` };
  return { state: "warn", about, words: `AUDIT_KEY is not set: anchors of the audit log are not signed; ${newKey}` };
}

function publicUrl({ PUBLIC_URL: url }: Config, role: Role): Finding {
  const about = "public URL";
  if (url !== undefined) return { state: "ok", about, words: url };
  const off =
    role === "core"
      ? "there are no hosted sessions and no report links"
      : "links and addresses lead to this process's own port";
  return { state: "warn", about, words: `PUBLIC_URL is not set: ${off}; set it to the address that callers use` };
}

function gatewayClient({ GATEWAY_CLIENT_ID: id, GATEWAY_CLIENT_SECRET: secret }: Config): Finding {
  const about = "gateway client";
  if (id !== undefined && secret !== undefined) return { state: "ok", about, words: id };
  const words =
    "GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET are not both set: `pas serve --role gateway` ends at once; make a client of an internal partner with the scope gateway";
  return { state: "fail", about, words };
}
