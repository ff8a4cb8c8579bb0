// Parses the URL of a database. The driver ignores unknown parameters, and would connect without TLS.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";

export interface DatabaseUrl {
  readonly host: string;
  readonly port: number;
  readonly socketPath: string | undefined;
  /** The URL without its parameters. */
  readonly uri: string;
  /** Undefined: cleartext. */
  readonly tls: DatabaseTls | undefined;
}

/** As the driver expects it. */
interface DatabaseTls {
  /** PEM of the authority; by default those that Node trusts. */
  readonly ca?: string;
  readonly rejectUnauthorized: boolean;
  readonly verifyIdentity: boolean;
}

const defaultPort = 3306;

/** Parameter names of providers and drivers, in lower case without `-` and `_`. */
const kinds: ReadonlyMap<string, "mode" | "ca"> = new Map([
  ...["sslmode", "ssl", "usessl", "tls"].map((name) => [name, "mode"] as const),
  ...["sslca", "sslrootcert"].map((name) => [name, "ca"] as const),
]);

type Mode = "DISABLED" | "REQUIRED" | "VERIFY_CA" | "VERIFY_IDENTITY";

const modes: ReadonlyMap<string, Mode> = new Map([
  ...["disabled", "disable", "false", "0"].map((word) => [word, "DISABLED"] as const),
  ...["required", "require", "true", "1", "skipverify", '{"rejectunauthorized":false}'].map(
    (word) => [word, "REQUIRED"] as const,
  ),
  ["verifyca", "VERIFY_CA"],
  ...["verifyidentity", "verifyfull", '{"rejectunauthorized":true}'].map((word) => [word, "VERIFY_IDENTITY"] as const),
]);

/**
 * Parses a URL, and reads the file that it names. Throws an Error that begins with what the URL `has` or `names`, names
 * parameters without their values, and says what to do.
 */
export function readDatabaseUrl(address: string): DatabaseUrl {
  const url = new URL(address);
  const parameters = new Map<"mode" | "ca" | "socketPath", { readonly name: string; readonly value: string }>();
  for (const [name, text] of url.searchParams) {
    const kind = name === "socketPath" ? name : kinds.get(plain(name));
    if (kind === undefined) {
      throw new Error(
        `has the parameter ${name}, which is not known; remove it (docs/database.md lists those that are)`,
      );
    }
    const value = kind === "mode" ? modeOf(name, text) : text;
    const previous = parameters.get(kind);
    if (previous !== undefined && previous.value !== value) throw contradiction(previous.name, name);
    parameters.set(kind, { name, value });
  }
  const [mode, ca] = [parameters.get("mode"), parameters.get("ca")];
  if (mode?.value === "DISABLED" && ca !== undefined) throw contradiction(mode.name, ca.name);
  if (mode?.value === "VERIFY_IDENTITY" && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new Error(`names its host by an address, which ${mode.name} cannot verify; give its name, or VERIFY_CA`);
  }
  url.search = "";
  const { hostname: host, port, href: uri } = url;
  const socketPath = parameters.get("socketPath")?.value;
  // The certificate is always verified if an authority is named.
  const tls =
    (mode !== undefined && mode.value !== "DISABLED") || ca !== undefined
      ? {
          ...(ca !== undefined && { ca: readAuthority(ca.name, ca.value) }),
          rejectUnauthorized: mode?.value !== "REQUIRED" || ca !== undefined,
          verifyIdentity: mode?.value === "VERIFY_IDENTITY",
        }
      : undefined;
  return { host, port: Number(port || defaultPort), socketPath, uri, tls };
}

function modeOf(name: string, value: string): Mode {
  const mode = modes.get(plain(value));
  if (mode !== undefined) return mode;
  throw new Error(`has a value of ${name} that is not taken; give DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY`);
}

function readAuthority(name: string, file: string): string {
  try {
    const pem = readFileSync(file, "utf8");
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new Error(`names by ${name} a file that is no certificate or cannot be read; give the path of a PEM file`);
  }
}

function contradiction(one: string, other: string): Error {
  return new Error(
    `has ${one === other ? `${one} twice` : `${one} and ${other}`}, which contradict each other; keep one`,
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]/g, "");
}
