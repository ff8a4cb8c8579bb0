// The parameters of DATABASE_URL: each is known, or the service does not start and names it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { readDatabaseUrl } from "../../src/database/database-url.ts";

const fileOf = (name: string) => fileURLToPath(new URL(`../support/processes/certificates/${name}`, import.meta.url));
const ca = fileOf("ca.pem");
const url = (query: string, host = "db.example") => `mysql://user:secret@${host}/pas${query}`;
const tlsOf = (query: string) => readDatabaseUrl(url(query)).tls;

const unverified = { rejectUnauthorized: false, verifyIdentity: false };
const authority = { rejectUnauthorized: true, verifyIdentity: false };
const identity = { rejectUnauthorized: true, verifyIdentity: true };

test.each([
  ["", undefined],
  ["?ssl-mode=DISABLED", undefined],
  ["?ssl-mode=REQUIRED", unverified],
  ["?ssl-mode=required", unverified],
  ["?ssl-mode=VERIFY_CA", authority],
  ["?ssl-mode=VERIFY_IDENTITY", identity],
])("%s", (query, tls) => {
  expect(tlsOf(query)).toEqual(tls);
});

test.each([
  [`?ssl-ca=${ca}`, authority],
  [`?ssl-mode=REQUIRED&ssl-ca=${ca}`, authority],
  [`?ssl-mode=VERIFY_CA&ssl-ca=${ca}`, authority],
  [`?ssl-mode=VERIFY_IDENTITY&ssl-ca=${ca}`, identity],
])("an authority that is named is verified: %s", (query, tls) => {
  expect(tlsOf(query)).toEqual({ ...tls, ca: readFileSync(ca, "utf8") });
});

test.each([
  ["?reconnect=true", "has the parameter reconnect, which is not known; remove it"],
  ["?multipleStatements=true", "has the parameter multipleStatements, which is not known; remove it"],
  ["?ssl-key=/x", "has the parameter ssl-key, which is not known; remove it"],
  [
    "?ssl-mode=PREFERRED",
    "has a value of ssl-mode that is not taken; give DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY",
  ],
  [
    "?useSSL=false",
    "has the parameter useSSL, which is not known; remove it, or give one of ssl-mode, ssl-ca, socketPath",
  ],
  ["?ssl=true", "has the parameter ssl, which is not known"],
  ["?ssl-mode=", "has a value of ssl-mode that is not taken"],
  ["?ssl-mode=REQUIRED&ssl-mode=VERIFY_CA", "has ssl-mode twice; keep one"],
  [`?ssl-mode=DISABLED&ssl-ca=${ca}`, "has ssl-mode and ssl-ca, which contradict each other; keep one"],
  ["?ssl-ca=/not/there.pem", "names by ssl-ca a file that is no certificate or cannot be read; give the path of a PEM"],
  [`?ssl-ca=${fileOf("server.key")}`, "names by ssl-ca a file that is no certificate or cannot be read"],
])("%s is refused by name, with what to do", (query, words) => {
  expect(() => readConfig({ DATABASE_URL: url(query) })).toThrow(`DATABASE_URL ${words}`);
});

test.each(["10.0.0.1", "[2001:db8::1]"])("an identity must be a host name, which %s does not have", (host) => {
  const words = "names its host by an address, which ssl-mode cannot verify; give its name, or VERIFY_CA";
  expect(() => readDatabaseUrl(url("?ssl-mode=VERIFY_IDENTITY", host))).toThrow(words);
  expect(readDatabaseUrl(url("?ssl-mode=VERIFY_CA", host)).tls).toEqual(authority);
});

test("an error does not quote the refused value, which may be a secret", () => {
  for (const query of ["?password=hunter2", "?ssl-mode=hunter2", "?ssl-ca=/hunter2"]) {
    expect(() => readDatabaseUrl(url(query))).toThrow(/^(?!.*(?:hunter2|secret))/);
  }
});
