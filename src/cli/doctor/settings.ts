// Whether what production needs is set for the role. Without it some of the service is off, or the process ends at once.
import { type Config, variables } from "../../config.ts";
import { meantName } from "../../json/meant-names.ts";
import type { Role } from "../serving/serve.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./finding.ts";

/** Checks keys and addresses. The embedded server, meant for evaluation, needs none of them. */
export function checkSettings(config: Config, role: Role): Finding[] {
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: url, DATABASE_URL: databaseUrl } = config;
  const { GATEWAY_CLIENT_ID: client, GATEWAY_CLIENT_SECRET: secret } = config;
  const newKey = "`openssl rand -base64 32` makes one";
  const endsAtOnce = `\`pas serve --role ${role}\` ends at once`;
  if (role === "gateway") {
    const missing = `GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET are not both set: ${endsAtOnce}; make a client of an internal partner with the scope gateway`;
    return [client && secret ? ok("gateway client", client) : fail("gateway client", missing), urlFinding(url, role)];
  }
  if (databaseUrl === undefined) return [];
  const about = "webhook key";
  const webhooks = webhookKeys && ok(about, `${webhookKeys.length} in WEBHOOK_KEY; the first one seals`);
  if (role === "deliver") {
    return [webhooks ?? fail(about, `WEBHOOK_KEY is not set: ${endsAtOnce}; set the same as at the other processes`)];
  }
  return [
    webhooks ?? warn(about, `WEBHOOK_KEY is not set: partners can make no webhooks; ${newKey}`),
    auditKeys
      ? ok("audit key", `${auditKeys.length} in AUDIT_KEY; the first one signs`)
      : warn("audit key", `AUDIT_KEY is not set: anchors of the audit log are not signed; ${newKey}`),
    urlFinding(url, role),
  ];
}

function urlFinding(url: string | undefined, role: Role): Finding {
  const about = "public URL";
  if (url === undefined) {
    const off =
      role === "core" ? "there are no hosted sessions and no report links" : "links lead to this process's port";
    return warn(about, `PUBLIC_URL is not set: ${off}; set it to the address that callers use`);
  }
  if (url.startsWith("https:") || isThisMachine(url)) return ok(about, url);
  return warn(
    about,
    `${url}: tokens, links and answers travel in cleartext; put TLS before the HTTP port, and write https`,
  );
}

/** Unknown variables whose names are close to known ones. */
export function checkNames({ setNames }: Config): Finding[] {
  return setNames.flatMap((name) => {
    const suggestion = meantName(name, Object.keys(variables));
    return suggestion === undefined ? [] : [warn("variables", `${name} is not read; did you mean ${suggestion}?`)];
  });
}
