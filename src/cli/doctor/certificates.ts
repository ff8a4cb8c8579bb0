// Whether the configured certificates exist and match their keys, and how long they are valid.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { dayMs } from "../../kernel/timers.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const soonDays = 30;

/** Checks every certificate of the configuration. @param now milliseconds since 1970 */
export async function checkCertificates(config: Config, now: number): Promise<Finding[]> {
  const found = await Promise.all([
    checkFiles("gRPC TLS", [config.GRPC_TLS_CERT_FILE, config.GRPC_TLS_KEY_FILE], now),
    checkFiles("gRPC client CA", [config.GRPC_TLS_CLIENT_CA_FILE], now),
    checkFiles("core CA", [config.CORE_TLS_CA_FILE], now),
    checkFiles("gateway TLS", [config.CORE_TLS_CERT_FILE, config.CORE_TLS_KEY_FILE], now),
  ]);
  const cleartext = "the gRPC port speaks cleartext; GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE change that";
  return [...(found[0].length === 0 ? [ok("gRPC TLS", cleartext)] : []), ...found.flat()];
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
