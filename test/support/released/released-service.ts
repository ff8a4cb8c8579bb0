// The service on the database of a release, with the keys that its secrets are sealed and signed with.
import { readConfig } from "../../../src/config.ts";
import type { DatabaseAddress } from "../../../src/database/database.ts";
import { startApp } from "../../../src/process/app.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";

/** What is kept beside the database of a release: who may read it, and what the service of then answered. */
export interface ReleasedAnswers {
  readonly token: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly endpointId: string;
  readonly webhookSecret: string;
  /** A session that some questions are answered of. */
  readonly openSession: string;
  /** Paths of a hosted session's link and of a report's. */
  readonly links: readonly string[];
  /** Bodies in JSON, or lines of them, by path. */
  readonly reads: Readonly<Record<string, unknown>>;
}

/** What a command needs to read that database. */
export const releasedKeys = {
  WEBHOOK_KEY: Buffer.alloc(32, 1).toString("base64"),
  AUDIT_KEY: Buffer.alloc(32, 2).toString("base64"),
};

/** Starts it on free ports. Nothing is removed because the release was long ago. */
export function startReleased(database: DatabaseAddress, write: (line: string) => void) {
  const config = readConfig({
    ...releasedKeys,
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    PUBLIC_URL: "https://pas.example",
    NORMS_HOUR: "-1",
    EVENT_RETENTION_DAYS: "3650",
    AUDIT_RETENTION_DAYS: "3650",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  return startApp({ config, role: "all", database, log: createLogger("info", { write }) });
}

/** The body of an answer to a GET request. */
export async function readReleased(httpUrl: string, token: string, path: string): Promise<unknown> {
  const response = await fetch(httpUrl + path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  if (!response.headers.get("content-type")?.startsWith("application/x-ndjson")) return JSON.parse(text);
  // The last line is the cursor, which goes on with time.
  return text
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
