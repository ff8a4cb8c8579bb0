// Whether what production needs is set for the role, and whether certificates exist, match their keys and are valid. Without it
// some of the service is off, or the process ends at once.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, variables } from "../../config.ts";
import { meantName } from "../../json/meant-names.ts";
import { dayMs } from "../../kernel/timers.ts";
import { unreadVariables } from "../../telemetry/tracing/open-tracing.ts";
import type { Role } from "../serving/serve.ts";
import { type Finding, fail, isThisMachine, ok, warn } from "./finding.ts";

/** Checks keys and addresses. The embedded server, meant for evaluation, needs none of them. */
export function checkSettings(config: Config, role: Role): Finding[] {
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: url, DATABASE_URL: databaseUrl } = config;
  const { GATEWAY_CLIENT_ID: client, GATEWAY_CLIENT_SECRET: secret } = config;
  const newKey = "`openssl rand -base64 32` makes one";
  const off =
    role === "core"
      ? "there are no hosted sessions and no report links"
      : "links and addresses lead to this process's own port";
  const endsAtOnce = `\`pas serve --role ${role}\` ends at once`;
  const needed = {
    webhooks: webhookKeys
      ? ok("webhook key", `${webhookKeys.length} in WEBHOOK_KEY; the first one seals`)
      : role === "deliver"
        ? fail("webhook key", `WEBHOOK_KEY is not set: ${endsAtOnce}; set the same as at the other processes`)
        : warn("webhook key", `WEBHOOK_KEY is not set: partners can make no webhooks; ${newKey}`),
    audit: auditKeys
      ? ok("audit key", `${auditKeys.length} in AUDIT_KEY; the first one signs`)
      : warn("audit key", `AUDIT_KEY is not set: anchors of the audit log are not signed; ${newKey}`),
    address: publicUrlFinding(url, off),
    gateway:
      client && secret
        ? ok("gateway client", client)
        : fail(
            "gateway client",
            `GATEWAY_CLIENT_ID and GATEWAY_CLIENT_SECRET are not both set: ${endsAtOnce}; make a client of an internal partner with the scope gateway`,
          ),
  };
  if (role === "gateway") return [needed.gateway, needed.address];
  if (databaseUrl === undefined) return [];
  return role === "deliver" ? [needed.webhooks] : [needed.webhooks, needed.audit, needed.address];
}

/** @param off what is off without it */
function publicUrlFinding(url: string | undefined, off: string): Finding {
  const about = "public URL";
  if (url === undefined) return warn(about, `PUBLIC_URL is not set: ${off}; set it to the address that callers use`);
  if (url.startsWith("https:") || isThisMachine(url)) return ok(about, url);
  return warn(
    about,
    `${url}: tokens, links and answers travel in cleartext; put TLS before the HTTP port, and write https`,
  );
}

/** Unknown variables whose names are close to known ones, or that are of OpenTelemetry. */
export function checkNames(config: Config): Finding[] {
  const unread = unreadVariables(config);
  return config.setNames.flatMap((name) => {
    const suggestion = meantName(name, Object.keys(variables));
    if (suggestion !== undefined) return [warn("variables", `${name} is not read; did you mean ${suggestion}?`)];
    return unread.includes(name) ? [warn("variables", `${name} is not read`)] : [];
  });
}

const soonDays = 30;

/** Checks every certificate of the configuration. @param now milliseconds since 1970 */
export async function checkCertificates(config: Config, now: number): Promise<Finding[]> {
  const findings = await Promise.all([
    checkFiles("gRPC TLS", [config.GRPC_TLS_CERT_FILE, config.GRPC_TLS_KEY_FILE], now),
    checkFiles("gRPC client CA", [config.GRPC_TLS_CLIENT_CA_FILE], now),
    checkFiles("core CA", [config.CORE_TLS_CA_FILE], now),
    checkFiles("gateway TLS", [config.CORE_TLS_CERT_FILE, config.CORE_TLS_KEY_FILE], now),
  ]);
  const cleartext = "the gRPC port speaks cleartext; GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE change that";
  return [...(findings[0].length === 0 ? [ok("gRPC TLS", cleartext)] : []), ...findings.flat()];
}

/** @param files a certificate alone, or with its key; none if nothing is set */
async function checkFiles(about: string, files: readonly (string | undefined)[], now: number): Promise<Finding[]> {
  if (files.every((file) => file === undefined)) return [];
  const [certificate, key] = files;
  if (certificate === undefined || files.includes(undefined)) {
    return [fail(about, "a certificate needs its key, and a key its certificate; one is not set")];
  }
  try {
    // The first certificate of a chain is the server's own.
    const read = new X509Certificate(await readFile(certificate));
    if (key !== undefined && !read.checkPrivateKey(createPrivateKey(await readFile(key)))) {
      return [fail(about, `${key} is not the key of ${certificate}`)];
    }
    const days = Math.floor((Date.parse(read.validTo) - now) / dayMs);
    if (days < 0) return [fail(about, `${certificate} has expired`)];
    const words = `${certificate} expires in ${days} days`;
    return [days < soonDays ? warn(about, `${words}; replace it`) : ok(about, words)];
  } catch (error) {
    return [fail(about, error instanceof Error ? error.message : `${certificate} cannot be read`)];
  }
}
