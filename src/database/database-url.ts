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
const parameterNames = ["ssl-mode", "ssl-ca", "socketPath"];

const modes: ReadonlyMap<string, DatabaseTls | undefined> = new Map([
  ["DISABLED", undefined],
  ["REQUIRED", { rejectUnauthorized: false, verifyIdentity: false }],
  ["VERIFY_CA", { rejectUnauthorized: true, verifyIdentity: false }],
  ["VERIFY_IDENTITY", { rejectUnauthorized: true, verifyIdentity: true }],
]);

/**
 * Parses a URL, and reads the file that it names. Throws an Error that begins with what the URL `has` or `names`, names
 * parameters without their values, and says what to do.
 */
export function readDatabaseUrl(address: string): DatabaseUrl {
  const url = new URL(address);
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!parameterNames.includes(name)) {
      throw new Error(
        `has the parameter ${name}, which is not known; remove it, or give one of ${parameterNames.join(", ")}`,
      );
    }
    if (parameters.has(name)) throw new Error(`has ${name} twice; keep one`);
    parameters.set(name, value);
  }
  const tls = readTls(parameters.get("ssl-mode")?.toUpperCase(), parameters.get("ssl-ca"));
  if (tls?.verifyIdentity && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new Error("names its host by an address, which ssl-mode cannot verify; give its name, or VERIFY_CA");
  }
  url.search = "";
  const { hostname: host, port, href: uri } = url;
  return { host, port: Number(port || defaultPort), socketPath: parameters.get("socketPath"), uri, tls };
}

/** The certificate is always verified if an authority is named. */
function readTls(mode: string | undefined, file: string | undefined): DatabaseTls | undefined {
  if (mode !== undefined && !modes.has(mode)) {
    throw new Error(`has a value of ssl-mode that is not taken; give ${[...modes.keys()].join(", ")}`);
  }
  const tls = modes.get(mode ?? (file === undefined ? "DISABLED" : "VERIFY_CA"));
  if (file === undefined) return tls;
  if (tls === undefined) throw new Error("has ssl-mode and ssl-ca, which contradict each other; keep one");
  return { ...tls, rejectUnauthorized: true, ca: readAuthority(file) };
}

function readAuthority(file: string): string {
  try {
    const pem = readFileSync(file, "utf8");
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new Error("names by ssl-ca a file that is no certificate or cannot be read; give the path of a PEM file");
  }
}
