// Certificates: an authority of one's own, and what it certifies. They are files, since Node makes none and openssl is not
// everywhere; their keys are no secrets. All are of curve prime256v1 and good from 2000 to 2099. With openssl 3.4 each is
// `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -not_before 20000101000000Z
// -not_after 21000101000000Z -subj /CN=…`, those two of `ca` with `-CA ca.pem -CAkey ca.key
// -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:false`, and that of `other-ca` in the same way,
// with `DNS:localhost`.
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("certificates", import.meta.url));

/**
 * Puts an authority (`ca.pem`), certificates of it with their keys for a server on loopback and a client (`server.pem`,
 * `server.key`, `client.…`), and another authority (`other-ca.pem`, `other-ca.key`) with a certificate for the name localhost
 * (`localhost.pem`, `localhost.key`) into the folder.
 */
export function copyCertificates(folder: string): void {
  cpSync(source, folder, { recursive: true });
}
