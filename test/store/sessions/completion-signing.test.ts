// Completion tokens: signed by one key for all processes, checked with public keys alone.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } from "jose";
import { beforeEach, expect, test } from "vitest";
import { CompletionSigner, type PublicKey } from "../../../src/services/hosted/completion-signing.ts";
import { storesOfFile } from "../../support/of-file.ts";

const completion = { issuer: "https://assess.example", partnerId: "partner-1", sessionId: "session-1" };

const database = await storesOfFile();
let nowMs: number;
beforeEach(async () => {
  await database.connection.query("DELETE FROM signing_keys");
  nowMs = Date.UTC(2026, 10, 20);
});

const deps = { signingKeys: database.signingKeys, clock: () => nowMs, random: randomBytes };

/** A process of its own, which has read no key yet. */
const newSigner = () => new CompletionSigner(deps, undefined);

const keySet = (keys: readonly PublicKey[]) =>
  createLocalJWKSet({
    keys: keys.map(({ keyId, publicKey }) => ({
      kty: "OKP",
      crv: "Ed25519",
      kid: keyId,
      x: Buffer.from(publicKey).toString("base64url"),
    })),
  });

function verify(token: string, keys: readonly PublicKey[]) {
  const { issuer, partnerId } = completion;
  return jwtVerify(token, keySet(keys), { issuer, audience: partnerId, currentDate: new Date(nowMs) });
}

test("a token names its issuer, partner, session and expiry, and nothing else", async () => {
  const signer = newSigner();
  const token = await signer.sign(completion);
  const { payload, protectedHeader } = await verify(token, await signer.listPublicKeys());
  const iat = nowMs / 1000;
  expect(payload).toEqual({
    iss: "https://assess.example",
    aud: "partner-1",
    sessionId: "session-1",
    status: "completed",
    iat,
    exp: iat + 600,
  });
  expect(protectedHeader).toEqual({ alg: "EdDSA", typ: "JWT", kid: expect.stringMatching(/^[\w-]{43}$/) });
});

test("a token is refused after ten minutes, for another partner, from another issuer, and with a changed letter", async () => {
  const signer = newSigner();
  const token = await signer.sign(completion);
  const keys = keySet(await signer.listPublicKeys());
  const at = (ms: number) => ({ currentDate: new Date(nowMs + ms) });
  await expect(jwtVerify(token, keys, at(599_000))).resolves.toBeDefined();
  await expect(jwtVerify(token, keys, at(600_000))).rejects.toThrow(errors.JWTExpired);
  await expect(jwtVerify(token, keys, { ...at(0), audience: "partner-2" })).rejects.toThrow(/aud/);
  await expect(jwtVerify(token, keys, { ...at(0), issuer: "https://else.example" })).rejects.toThrow(/iss/);
  const [head = "", , signature = ""] = token.split(".");
  const other = Buffer.from(JSON.stringify({ sessionId: "session-2", status: "completed" })).toString("base64url");
  await expect(jwtVerify(`${head}.${other}.${signature}`, keys, at(0))).rejects.toThrow(/signature/);
});

test("processes that start at the same time on an empty database share one key", async () => {
  const signers = [newSigner(), newSigner(), newSigner()];
  const tokens = await Promise.all(signers.map((signer) => signer.sign(completion)));
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1);
  expect(await newSigner().listPublicKeys()).toHaveLength(1);
});

test("configured keys replace those of the database: the first one signs, all are published, and none is stored", async () => {
  const keys = [1, 2].map(() => generateKeyPairSync("ed25519").privateKey);
  const signer = new CompletionSigner(deps, keys);
  const token = await signer.sign(completion);
  const published = await signer.listPublicKeys();
  expect(published).toHaveLength(2);
  expect(decodeProtectedHeader(token).kid).toBe(published[0]?.keyId);
  await verify(token, published);
  expect(await deps.signingKeys.findSigningKey(new AbortController().signal)).toBeUndefined();
});
