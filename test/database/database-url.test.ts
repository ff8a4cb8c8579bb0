// The parameters of DATABASE_URL and DATABASE_REPLICA_URL: each is known, or the service does not start and names it.
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
  ["?useSSL=false", undefined],
  ["?tls=false", undefined],
  ["?ssl-mode=REQUIRED", unverified],
  ["?ssl_mode=required", unverified],
  ["?sslMode=REQUIRED", unverified],
  ["?sslmode=require", unverified],
  ["?ssl=true", unverified],
  ["?useSSL=true", unverified],
  ["?tls=true", unverified],
  ["?tls=skip-verify", unverified],
  ["?ssl=true&useSSL=1", unverified],
  ['?ssl={"rejectUnauthorized":false}', unverified],
  ["?ssl-mode=VERIFY_CA", authority],
  ["?sslmode=verify-ca", authority],
  ["?ssl-mode=VERIFY_IDENTITY", identity],
  ["?sslmode=verify-full", identity],
  ['?ssl={"rejectUnauthorized":true}', identity],
])("%s", (query, tls) => {
  expect(tlsOf(query)).toEqual(tls);
});

test.each([
  [`?ssl-ca=${ca}`, authority],
  [`?ssl-mode=REQUIRED&ssl-ca=${ca}`, authority],
  [`?sslmode=verify-ca&sslrootcert=${ca}`, authority],
  [`?ssl_mode=VERIFY_IDENTITY&ssl_ca=${ca}`, identity],
])("an authority that is named is verified: %s", (query, tls) => {
  expect(tlsOf(query)).toEqual({ ...tls, ca: readFileSync(ca, "utf8") });
});

test.each([
  ["?reconnect=true", "has the parameter reconnect, which is not known; remove it"],
  ["?multipleStatements=true", "has the parameter multipleStatements, which is not known; remove it"],
  ["?ssl-key=/x", "has the parameter ssl-key, which is not known; remove it"],
  ["?ssl-mode=PREFERRED", "has a value of ssl-mode that is not taken; give DISABLED, REQUIRED, VERIFY_CA or"],
  ["?ssl=Amazon RDS", "has a value of ssl that is not taken; give DISABLED, REQUIRED"],
  ["?useSSL=", "has a value of useSSL that is not taken"],
  ["?ssl-mode=REQUIRED&useSSL=false", "has ssl-mode and useSSL, which contradict each other; keep one"],
  ["?ssl-mode=REQUIRED&ssl-mode=VERIFY_CA", "has ssl-mode twice, which contradict each other; keep one"],
  [`?ssl-mode=DISABLED&ssl-ca=${ca}`, "has ssl-mode and ssl-ca, which contradict each other; keep one"],
  [`?ssl-ca=${ca}&sslrootcert=${fileOf("other-ca.pem")}`, "has ssl-ca and sslrootcert, which contradict each other"],
  ["?ssl-ca=/not/there.pem", "names by ssl-ca a file that is no certificate or cannot be read; give the path of a PEM"],
  [`?ssl-ca=${fileOf("server.key")}`, "names by ssl-ca a file that is no certificate or cannot be read"],
])("%s is refused by name at both variables, with what to do", (query, words) => {
  for (const name of ["DATABASE_URL", "DATABASE_REPLICA_URL"]) {
    expect(() => readConfig({ [name]: url(query) })).toThrow(`${name} ${words}`);
  }
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
