// Whether the certificates that are configured are there, match their keys, and for how long they are good.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { Finding } from "./finding.ts";

const soonDays = 30;

interface CertificateFiles {
  readonly about: string;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Looks at every certificate of the configuration. @param now milliseconds since 1970 */
export async function checkCertificates(config: Config, now: number): Promise<Finding[]> {
  const { GRPC_TLS_CERT_FILE: certificate, GRPC_TLS_KEY_FILE: key } = config;
  if (certificate === undefined && key === undefined) {
    const words = "the gRPC port speaks cleartext; GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE change that";
    return [{ state: "ok", about: "gRPC TLS", words }, ...(await checkOthers(config, now))];
  }
  return [await checkPair({ about: "gRPC TLS", certificate, key }, now), ...(await checkOthers(config, now))];
}

async function checkOthers(config: Config, now: number): Promise<Finding[]> {
  const others = [
    { about: "gRPC client CA", certificate: config.GRPC_TLS_CLIENT_CA_FILE, key: undefined },
    { about: "core CA", certificate: config.CORE_TLS_CA_FILE, key: undefined },
  ].filter(({ certificate }) => certificate !== undefined);
  const { CORE_TLS_CERT_FILE: certificate, CORE_TLS_KEY_FILE: key } = config;
  const pair = { about: "gateway TLS", certificate, key };
  const hasPair = certificate !== undefined || key !== undefined;
  return Promise.all([...others.map((files) => checkFile(files, now)), ...(hasPair ? [checkPair(pair, now)] : [])]);
}

async function checkPair(files: CertificateFiles, now: number): Promise<Finding> {
  const { about, certificate, key } = files;
  if (certificate === undefined || key === undefined) {
    return { state: "fail", about, words: "a certificate needs its key, and a key its certificate; one is not set" };
  }
  return checkFile(files, now);
}

async function checkFile({ about, certificate = "", key }: CertificateFiles, now: number): Promise<Finding> {
  try {
    // The first certificate of a chain is the one that is shown.
    const read = new X509Certificate(await readFile(certificate));
    if (key !== undefined && !read.checkPrivateKey(createPrivateKey(await readFile(key)))) {
      return { state: "fail", about, words: `${key} is not the key of ${certificate}` };
    }
    return expiryOf(about, certificate, Math.floor((Date.parse(read.validTo) - now) / dayMs));
  } catch (error) {
    return { state: "fail", about, words: error instanceof Error ? error.message : `${certificate} cannot be read` };
  }
}

function expiryOf(about: string, certificate: string, days: number): Finding {
  if (days < 0) return { state: "fail", about, words: `${certificate} has expired` };
  const words = `${certificate} expires in ${days} days`;
  return days < soonDays ? { state: "warn", about, words: `${words}; replace it` } : { state: "ok", about, words };
}
