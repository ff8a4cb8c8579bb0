// The public keys of completion tokens of hosted sessions, as a JWK set (RFC 7517).
import type { FastifyInstance } from "fastify";
import { type PublicKey, TokenService } from "../../gen/assessment/v1/token_service_pb.ts";
import type { Core } from "../../kernel/calls/core.ts";
import { sendJson } from "../../transport/http/send.ts";
import { callCore } from "../rest/transcode.ts";

/** New keys are published an hour before they sign. */
const cacheControl = "public, max-age=300";

/** Adds the JWK set. */
export function addKeyRoutes(app: FastifyInstance, core: Core): void {
  app.get("/.well-known/jwks.json", async (request, reply) => {
    const { keys } = await callCore(core, TokenService.method.getPublicKeys, request, reply, () => ({}));
    reply.header("cache-control", cacheControl);
    return sendJson(reply, JSON.stringify({ keys: keys.map(toJwk) }));
  });
}

function toJwk({ keyId, publicKey }: PublicKey) {
  const x = Buffer.from(publicKey).toString("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid: keyId, alg: "EdDSA", use: "sig" };
}
