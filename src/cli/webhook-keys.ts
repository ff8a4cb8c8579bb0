// The keys of webhook secrets: configured, or created once in the data folder of the embedded server.
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";

const keyBytes = 32;

/** The keys, the encrypting one first. None: webhooks are off. */
export async function provideWebhookKeys(config: Config): Promise<readonly Uint8Array[]> {
  const { WEBHOOK_KEY: configuredKeys, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config;
  if (configuredKeys !== undefined) return configuredKeys;
  if (databaseUrl !== undefined) return [];
  const file = join(dataDir, "webhook.key");
  const text = (await readFile(file, "utf8").catch(() => undefined)) ?? (await makeKey(dataDir, file));
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${keyBytes} bytes`);
  return [key];
}

/** Several processes may do this at once: the first one's key is kept. */
async function makeKey(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const own = `${file}.${process.pid}`;
  await writeFile(own, `${randomBytes(keyBytes).toString("base64")}\n`, { mode: 0o600 });
  await link(own, file).catch(() => undefined);
  await rm(own);
  return readFile(file, "utf8");
}
