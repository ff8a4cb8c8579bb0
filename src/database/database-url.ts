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
const modeNames: ReadonlySet<string> = new Set(["sslmode", "ssl", "usessl", "tls"]);
const caNames: ReadonlySet<string> = new Set(["sslca", "sslrootcert"]);

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
export function readDatabaseUrl(text: string): DatabaseUrl {
  const url = new URL(text);
  let socketPath: string | undefined;
  let mode: { readonly name: string; readonly value: Mode } | undefined;
  let ca: { readonly name: string; readonly file: string } | undefined;
  for (const [name, value] of url.searchParams) {
    const plainName = plain(name);
    if (name === "socketPath") {
      socketPath = value;
    } else if (modeNames.has(plainName)) {
      const option = { name, value: modeOf(name, value) };
      if (mode !== undefined && mode.value !== option.value) throw contradiction(mode.name, name);
      mode = option;
    } else if (caNames.has(plainName)) {
      if (ca !== undefined && ca.file !== value) throw contradiction(ca.name, name);
      ca = { name, file: value };
    } else {
      throw new Error(
        `has the parameter ${name}, which is not known; remove it (docs/database.md lists those that are)`,
      );
    }
  }
  if (mode?.value === "DISABLED" && ca !== undefined) throw contradiction(mode.name, ca.name);
  if (mode?.value === "VERIFY_IDENTITY" && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new Error(`names its host by an address, which ${mode.name} cannot verify; give its name, or VERIFY_CA`);
  }
  url.search = "";
  const { hostname: host, port, href: uri } = url;
  return { host, port: Number(port || defaultPort), socketPath, uri, tls: tlsOf(mode?.value, ca) };
}

/** The certificate is always verified if an authority is named. */
function tlsOf(
  mode: Mode | undefined,
  ca: { readonly name: string; readonly file: string } | undefined,
): DatabaseTls | undefined {
  if (mode === "DISABLED" || (mode === undefined && ca === undefined)) return undefined;
  return {
    ...(ca !== undefined && { ca: readAuthority(ca.name, ca.file) }),
    rejectUnauthorized: mode !== "REQUIRED" || ca !== undefined,
    verifyIdentity: mode === "VERIFY_IDENTITY",
  };
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
