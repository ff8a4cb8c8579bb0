// Whether what production needs is set: without it the service runs, and some of it is off.
import type { Config } from "../../config.ts";
import type { Finding } from "./finding.ts";

const newKey = "`openssl rand -base64 32` makes one";

/** Looks at keys and addresses. The embedded server, which is for trying things out, needs none of them. */
export function checkSettings(config: Config): Finding[] {
  if (config.DATABASE_URL === undefined) return [];
  const { WEBHOOK_KEY: webhookKeys, AUDIT_KEY: auditKeys, PUBLIC_URL: publicUrl } = config;
  const off = "WEBHOOK_KEY is not set: partners can make no webhooks, and `pas serve --role deliver` ends at once";
  const unsigned = "AUDIT_KEY is not set: anchors of the audit log are not signed";
  const unknown =
    "PUBLIC_URL is not set: hosted links lead to this process's own port, and `pas serve --role core` makes none";
  return [
    finding(
      "webhook key",
      webhookKeys,
      (keys) => `${keys.length} in WEBHOOK_KEY; the first one seals`,
      `${off}; ${newKey}`,
    ),
    finding(
      "audit key",
      auditKeys,
      (keys) => `${keys.length} in AUDIT_KEY; the first one signs`,
      `${unsigned}; ${newKey}`,
    ),
    finding("public URL", publicUrl, (url) => url, `${unknown}; set it to the address that callers use`),
  ];
}

function finding<T>(about: string, value: T | undefined, words: (value: T) => string, warning: string): Finding {
  return value === undefined ? { state: "warn", about, words: warning } : { state: "ok", about, words: words(value) };
}
