// Findings of doctor, and those about settings: without some of them a part of the service is off, or the process ends at once.
import { type Config, variables } from "../../config.ts";
import { meantName } from "../../json/meant-names.ts";
import type { Role } from "../serving/serve.ts";

export interface Finding {
  /** `warn`: it works now, but somebody should look at it. `fail`: the service cannot serve. */
  readonly state: "ok" | "warn" | "fail";
  /** The part that was checked, in a word or two. */
  readonly about: string;
  /** The finding, and what to do about it, in one sentence. */
  readonly words: string;
}

export const ok = (about: string, words: string): Finding => ({ state: "ok", about, words });
export const warn = (about: string, words: string): Finding => ({ state: "warn", about, words });
export const fail = (about: string, words: string): Finding => ({ state: "fail", about, words });

/** Whether what is sent to the host of a URL stays on this machine. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The findings as lines for people. */
export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  return findings.map(({ state, about, words }) => `${state.padEnd(5)} ${about.padEnd(width)}  ${words}`).join("\n");
}

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
