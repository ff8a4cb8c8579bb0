// SIGNING_KEY: which texts hold keys, and that a wrong one is refused without being told.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";

const newKey = () => generateKeyPairSync("ed25519").privateKey;
const pem = (key: KeyObject) => key.export({ format: "pem", type: "pkcs8" }).toString();
const base64 = (key: KeyObject) => key.export({ format: "der", type: "pkcs8" }).toString("base64");
const keysOf = (text: string) => readConfig({ SIGNING_KEY: text }).SIGNING_KEY?.map(base64);

test("one key or several are read from PEM, on many lines or one, and from base64", () => {
  const [one, other] = [newKey(), newKey()];
  const both = [base64(one), base64(other)];
  expect(keysOf(pem(one))).toEqual(both.slice(0, 1));
  expect(keysOf(base64(one))).toEqual(both.slice(0, 1));
  expect(keysOf(pem(one) + pem(other))).toEqual(both);
  expect(keysOf(`${pem(one)}\n${pem(other)}`.replaceAll("\n", " "))).toEqual(both);
  expect(keysOf(` ${base64(one)}\n${base64(other)} `)).toEqual(both);
  expect(readConfig({}).SIGNING_KEY).toBeUndefined();
});

test.each([
  ["no key", "secret-text"],
  ["a public key", generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString()],
  ["a key of another kind", pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey)],
  ["half a key", base64(newKey()).slice(0, 30)],
  ["a good key and a bad one", `${base64(newKey())} secret-text`],
])("%s is refused, and not quoted", (_, text) => {
  expect(() => readConfig({ SIGNING_KEY: text })).toThrow(
    /^SIGNING_KEY must be one or more Ed25519 private keys, PKCS#8 in PEM or base64$/,
  );
});
