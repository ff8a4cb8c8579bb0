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

/** As the driver takes it. */
interface DatabaseTls {
  /** PEM of the authority; by default those that Node trusts. */
  readonly ca?: string;
  readonly rejectUnauthorized: boolean;
  readonly verifyIdentity: boolean;
}

const defaultPort = 3306;

/** Named as MySQL's own clients name them. */
const parameters: readonly string[] = ["ssl-mode", "ssl-ca", "socketPath"];
const modes: readonly string[] = ["DISABLED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"];

/**
 * Parses a URL, and reads the file that it names. Throws an Error that begins with what the URL `has` or `names`, names
 * parameters without their values, and says what to do.
 */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const url = new URL(text);
  for (const name of url.searchParams.keys()) {
    if (!parameters.includes(name)) {
      throw new Error(`has the parameter ${name}, which is not known; remove it, or write it as ssl-mode or ssl-ca`);
    }
    if (url.searchParams.getAll(name).length > 1) throw new Error(`has ${name} twice; keep one`);
  }
  const { "ssl-mode": mode, "ssl-ca": authority, socketPath } = Object.fromEntries(url.searchParams);
  if (mode !== undefined && !modes.includes(mode)) {
    throw new Error("has a value of ssl-mode that is not taken; give DISABLED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY");
  }
  if (mode === "DISABLED" && authority !== undefined) {
    throw new Error("has ssl-mode and ssl-ca, which contradict each other; keep one");
  }
  if (mode === "VERIFY_IDENTITY" && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new Error("names its host by an address, which ssl-mode cannot verify; give its name, or VERIFY_CA");
  }
  url.search = "";
  const { hostname: host, port, href: uri } = url;
  return { host, port: Number(port || defaultPort), socketPath, uri, tls: tlsOf(mode, authority) };
}

/** The certificate is always verified if an authority is named. */
function tlsOf(mode: string | undefined, authority: string | undefined): DatabaseTls | undefined {
  if (mode === "DISABLED" || (mode === undefined && authority === undefined)) return undefined;
  return {
    ...(authority !== undefined && { ca: readAuthority(authority) }),
    rejectUnauthorized: mode !== "REQUIRED" || authority !== undefined,
    verifyIdentity: mode === "VERIFY_IDENTITY",
  };
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
