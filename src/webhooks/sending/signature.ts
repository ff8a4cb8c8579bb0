// Signatures of Standard Webhooks, version 1: https://github.com/standard-webhooks/standard-webhooks
import { createHmac, type KeyObject } from "node:crypto";

export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970 in UTC. */
  readonly timestamp: number;
  readonly body: string;
}

/** The header `webhook-signature`: one signature for each key, separated by spaces. @param keys made of the secrets */
export function signatureHeader({ id, timestamp, body }: SignedContent, keys: readonly KeyObject[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`).join(" ");
}
