// The table of all variables of the environment, with their readers.
import { createPrivateKey, type KeyObject } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { readDatabaseUrl } from "./database/database-url.ts";

interface Variable<T> {
  /** The default, parsed like a set value. */
  readonly default: string | undefined;
  /** One sentence for operators. */
  readonly doc: string;
  /** Throws an Error that says what the text must be. */
  readonly read: (text: string | undefined) => T;
}

/** A variable that always has a value. */
function variable<T>(read: (text: string) => T, fallback: string, doc: string): Variable<T> {
  return { default: fallback, doc, read: (value) => read(value ?? fallback) };
}

/** A variable that may be unset. */
function optional<T>(read: (text: string) => T, doc: string): Variable<T | undefined> {
  return { default: undefined, doc, read: (value) => (value === undefined ? undefined : read(value)) };
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Every variable that the service reads, in the order of docs/configuration.md. */
export const variables = {
  DATABASE_URL: optional(
    readDatabaseAddress,
    "MySQL to use, `mysql://user:password@host:3306/database`; with `@primary` as the database, a vtgate with all its keyspaces. `?ssl-mode=VERIFY_IDENTITY` and others [encrypt](database.md) the way there. " +
      "Unset: an embedded server of the service's own.",
  ),
  DATABASE_POOL_SIZE: variable(integer(1, 1000), "16", "Most database connections of a process."),
  DATA_DIR: variable(readText, ".data", "Folder of the embedded server and of the demo client's credentials."),
  HOST: variable(readText, "127.0.0.1", "Address that both ports listen on."),
  HTTP_PORT: variable(
    integer(0, 65_535),
    "8080",
    "Port of REST, Connect and the operators' routes; 0 chooses a free one.",
  ),
  GRPC_PORT: variable(integer(0, 65_535), "50051", "Port of gRPC; 0 chooses a free one."),
  GRPC_TLS_CERT_FILE: optional(readText, "PEM file with the certificate chain of the gRPC port. Unset: cleartext."),
  GRPC_TLS_KEY_FILE: optional(readText, "PEM file with the key of that certificate."),
  GRPC_TLS_CLIENT_CA_FILE: optional(
    readText,
    "PEM file with the authority whose certificates gRPC clients must show (mutual TLS). Unset: none is required.",
  ),
  CORE_TLS_CA_FILE: optional(
    readText,
    "PEM file with the authority of the core's certificate, for `--role gateway`. Unset: those that Node knows.",
  ),
  CORE_TLS_CERT_FILE: optional(
    readText,
    "PEM file with the certificate that the gateway shows to the core (mutual TLS).",
  ),
  CORE_TLS_KEY_FILE: optional(readText, "PEM file with the key of that certificate."),
  PUBLIC_URL: optional(readBaseUrl, "Address under which callers reach the HTTP port. Unset: `http://HOST:HTTP_PORT`."),
  SHUTDOWN_DELAY_SECONDS: variable(
    integer(0, 3600),
    "0",
    "Seconds after SIGTERM in which the service is not ready and yet serves, until no load balancer sends it anything.",
  ),
  LOG_LEVEL: variable(choice(logLevels), "info", `Least level that is logged: ${logLevels.join(", ")}.`),
  TRUSTED_PROXIES: variable(
    list(readNetwork),
    "",
    "Addresses, or networks in CIDR notation, separated by commas, whose `X-Forwarded-For` is trusted: only those of your proxies.",
  ),
  CORS_ORIGINS: variable(
    list(readOrigin),
    "",
    "Origins, separated by commas, whose pages may call REST and Connect from a browser, `https://app.example.com`.",
  ),
  METRICS_PORT: variable(
    integer(0, 65_535),
    "9464",
    "Port of `/metrics` of `pas serve --workers`, for all of its workers; 0 chooses a free one. A process alone has it at `HTTP_PORT`.",
  ),
  REVISION: optional(readText, "Revision of the source that runs, for the metric `pas_build_info`; images set it."),
  METRICS_TOKEN: optional(readText, "Bearer token that `/metrics` asks for. Unset: it serves loopback only."),
  MAX_CONCURRENT_CALLS: optional(
    integer(1, 100_000),
    "Calls that run at a time in a process. Four times as many wait for a place, a second at most; the rest are refused with 503. Unset: twice the connections.",
  ),
  MAX_CONCURRENT_CALLS_PER_CLIENT: optional(
    integer(1, 100_000),
    "The same for each client, or for an address whose token is not yet known; beyond what may wait it gets 429. Unset: half of the connections, which is what all clients of a partner have together. With more, a partner whose calls hang in the database can take all connections.",
  ),
  RATE_LIMIT_PER_MINUTE: variable(
    readLimit,
    "6000",
    "Requests a minute of each client, and half of those of its partner; 0: no limit.",
  ),
  RATE_LIMIT_BURST: variable(
    integer(1, 10_000_000),
    "600",
    "Requests that a client may send at once; the window is as long as the limit takes to allow them.",
  ),
  TOKEN_RATE_LIMIT_PER_MINUTE: variable(
    readLimit,
    "30",
    "Token requests a minute of each pair of client and address; 0: no limit.",
  ),
  ADDRESS_RATE_LIMIT_PER_MINUTE: variable(
    readLimit,
    "600",
    "Made-up tokens, links and client secrets a minute of each address; 0: no limit. None that was issued is refused for them.",
  ),
  HOSTED_RATE_LIMIT_PER_MINUTE: variable(readLimit, "300", "Requests a minute of each hosted session; 0: no limit."),
  NORMS_HOUR: variable(
    integer(-1, 23),
    "1",
    "Hour of the day in UTC from which norms are computed, once a night; -1: never.",
  ),
  SIGNING_KEY: optional(
    readSigningKeys,
    "Ed25519 private keys of completion tokens, PKCS#8 in PEM or base64, separated by spaces: the first one signs, all are published. Unset: created once and stored in the database.",
  ),
  EVENT_INTERVAL_MS: variable(
    integer(10, 10_000),
    "100",
    "How often each process brings what happened into the log of events, in milliseconds.",
  ),
  EVENT_RETENTION_DAYS: variable(integer(1, 3650), "30", "How long events are kept, in days."),
  WEBHOOK_KEY: optional(
    readSecretKeys,
    "Keys that seal the secrets of webhooks, 32 bytes in base64 each, separated by spaces: the first one seals, all open. Unset: no webhooks, but for the embedded server, which makes one in DATA_DIR.",
  ),
  WEBHOOK_ALLOWED_NETWORKS: optional(
    list(readNetwork),
    "Addresses, or networks in CIDR notation, separated by commas, that webhooks may go to although they are not public, by plain http and to addresses as well. Unset: none, but this machine with the embedded server.",
  ),
  WEBHOOK_CONCURRENCY: variable(integer(1, 10_000), "256", "Webhooks that a process sends at a time."),
  AUDIT_KEY: optional(
    readSecretKeys,
    "Keys that sign the anchors of the audit log, 32 bytes in base64 each, separated by spaces: the first one signs, all verify. Keep them out of the database. Unset: anchors are logged, and not signed.",
  ),
  AUDIT_RETENTION_DAYS: variable(integer(30, 3650), "400", "How long records of the audit log are kept, in days."),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    readBaseUrl,
    "OpenTelemetry collector for traces over OTLP/HTTP, `http://collector:4318`. OpenTelemetry reads `OTEL_RESOURCE_ATTRIBUTES` and the exporter's `OTEL_EXPORTER_OTLP_…` by itself (`HEADERS`, `TIMEOUT`, `COMPRESSION`, `CERTIFICATE`); the start names all others that are set. Unset: no traces.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    readBaseUrl,
    "The same with the path of traces, `http://collector:4318/v1/traces`, in place of the other one.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(choice(["http/protobuf"]), "http/protobuf", "Protocol of the collector."),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable(choice(["http/protobuf"]), "http/protobuf", "The same for traces."),
  OTEL_SDK_DISABLED: variable(
    (text) => choice(["true", "false"])(text.toLowerCase()) === "true",
    "false",
    "`true`: no traces, whatever else is set.",
  ),
  OTEL_TRACES_EXPORTER: variable(choice(["otlp", "none"]), "otlp", "`none`: no traces, likewise."),
  OTEL_TRACES_SAMPLER: variable(
    choice(["parentbased_traceidratio", "traceidratio", "parentbased_always_on", "always_on", "always_off"]),
    "parentbased_traceidratio",
    "`always_off`: no traces, likewise; `…always_on`: all calls are traced; else the share below. Calls of trusted callers follow their callers in any case.",
  ),
  OTEL_SERVICE_NAME: variable(readText, "partner-assessment-service", "Name of the service in traces."),
  OTEL_TRACES_SAMPLER_ARG: variable(readShare, "0.01", "Share of calls that are traced, 0 to 1."),
  GATEWAY_CLIENT_ID: optional(readText, "Client with the scope `gateway`, for `--role gateway`."),
  GATEWAY_CLIENT_SECRET: optional(readText, "Secret of that client."),
} as const;

/** The configuration: one member for each variable. */
export type Config = { readonly [K in keyof typeof variables]: ReturnType<(typeof variables)[K]["read"]> };

/** Reads the configuration; empty counts as unset. Throws one error that names every invalid variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const entries = Object.entries(variables).map(([name, { read }]) => {
    try {
      return [name, read(environment[name] === "" ? undefined : environment[name])];
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : "cannot be read"}`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw new Error(faults.join("; "));
  return Object.fromEntries(entries);
}

function readText(text: string): string {
  return text;
}

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most) {
      throw new Error(`must be an integer from ${least} to ${most}`);
    }
    return value;
  };
}

function readLimit(text: string): number {
  return integer(0, 10_000_000)(text);
}

function readShare(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) throw new Error("must be a number from 0 to 1");
  return value;
}

function choice<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const value = choices.find((each) => each === text);
    if (value === undefined) throw new Error(`must be one of ${choices.join(", ")}`);
    return value;
  };
}

function readDatabaseAddress(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== "mysql:" || url.pathname.length < 2) {
    throw new Error("must be a URL with a database, mysql://user:password@host:3306/database");
  }
  readDatabaseUrl(text);
  return text;
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new Error("must be an http or https URL without query and fragment");
  }
  return url.href.replace(/\/+$/, "");
}

function list<T>(read: (part: string) => T): (text: string) => T[] {
  return (text) => {
    const parts = text.split(",").map((part) => part.trim());
    return parts.filter((part) => part !== "").map(read);
  };
}

function readOrigin(text: string): string {
  if (URL.parse(text)?.origin !== text || !/^https?:/.test(text)) {
    throw new Error("must be origins such as https://app.example.com, without a path");
  }
  return text;
}

function readNetwork(text: string): string {
  const [address = "", ...rest] = text.split("/");
  // An address is a network of one.
  const cidr = rest.length > 0 ? text : `${text}/${isIPv6(text) ? 128 : 32}`;
  if (isIP(address) !== 0 && !address.includes("%") && ipaddr.isValidCIDR(cidr)) return cidr;
  throw new Error("must be addresses, or networks in CIDR notation such as 10.0.0.0/8, separated by commas");
}

function readSecretKeys(text: string): Buffer[] {
  const keys = text.split(/\s+/).flatMap((part) => (part === "" ? [] : [Buffer.from(part, "base64")]));
  if (keys.length > 0 && keys.every((key) => key.length === 32)) return keys;
  throw new Error("must be one or more keys of 32 bytes in base64");
}

function readSigningKeys(text: string): KeyObject[] {
  // Without the lines around it, a PEM text is the base64 of its key, in several lines.
  const blocks = text.includes("-----") ? text.split(/-----BEGIN [A-Z ]+-----/) : text.split(/\s+/);
  const bodies = blocks.map((block) => block.replace(/-----END [A-Z ]+-----|\s/g, "")).filter((body) => body !== "");
  try {
    const keys = bodies.map((base64) =>
      createPrivateKey({ key: base64, encoding: "base64", format: "der", type: "pkcs8" }),
    );
    if (keys.length > 0 && keys.every((key) => key.asymmetricKeyType === "ed25519")) return keys;
  } catch {
    // The error may quote the key, so another one is thrown below.
  }
  throw new Error("must be one or more Ed25519 private keys, PKCS#8 in PEM or base64");
}
