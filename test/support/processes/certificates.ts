// Certificates for a day: an authority of one's own, and what it certifies.
import { execFileSync } from "node:child_process";

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/**
 * Puts an authority (`ca.pem`), certificates of it with their keys for a server on loopback and a client (`server.pem`,
 * `server.key`, `client.…`), and another authority (`other-ca.pem`) into the folder.
 */
export function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  for (const name of ["ca", "other-ca"]) {
    openssl("req", "-x509", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=Test ${name}`);
  }
  const certified = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "basicConstraints=critical,CA:false"];
  for (const name of ["server", "client"]) {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`];
    openssl("req", "-x509", ...newKey, ...certified, ...files, "-addext", "subjectAltName=IP:127.0.0.1");
  }
}
