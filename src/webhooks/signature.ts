// Signatures of Standard Webhooks, version 1: https://github.com/standard-webhooks/standard-webhooks
import { createHmac } from "node:crypto";

export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970 in UTC. */
  readonly timestamp: number;
  readonly body: string;
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces. */
export function signatureHeader({ id, timestamp, body }: SignedContent, secrets: readonly Uint8Array[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(content).digest("base64")}`).join(" ");
}
