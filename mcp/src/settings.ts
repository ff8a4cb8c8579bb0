// How the server is started: which service it speaks to, as whom, and what it may hand out.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

export interface Settings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether results of people may be handed out. */
  readonly allowResults: boolean;
  /** The program `pas`, and the definition that answers are scored by. */
  readonly pas: string;
  readonly assessment: string;
}

const repository = new URL("../../", import.meta.url);
const loopback = /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?\/?$/;

/**
 * The settings. Without `--live` they are those of a service on this machine and of its demo client, so that nobody hands
 * a model the keys of production by mistake.
 * @throws Error in one sentence for people
 */
export function readSettings(args: readonly string[], environment: NodeJS.ProcessEnv): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      live: { type: "boolean", default: false },
      "allow-results": { type: "boolean", default: false },
      credentials: { type: "string", default: new URL(".data/demo-client.json", repository).pathname },
      pas: { type: "string", default: new URL("src/main.js", repository).pathname },
      assessment: {
        type: "string",
        default: new URL("src/products/values-bridge/definition/values-bridge.json", repository).pathname,
      },
    },
  });
  const { live, credentials, pas, assessment } = values;
  const client = live ? fromEnvironment(environment) : fromFile(credentials, environment);
  if (!live && !loopback.test(client.url)) {
    throw new Error(
      `${client.url} is not on this machine: add --live to speak to it, with PAS_CLIENT_ID and PAS_CLIENT_SECRET`,
    );
  }
  if (!loopback.test(client.url) && !client.url.startsWith("https://")) {
    throw new Error(`${client.url} is neither https:// nor on this machine: the client's secret would be readable`);
  }
  return { ...client, pas, assessment, allowResults: values["allow-results"] };
}

type Client = Pick<Settings, "url" | "clientId" | "clientSecret">;

function fromEnvironment({ PAS_URL, PAS_CLIENT_ID, PAS_CLIENT_SECRET }: NodeJS.ProcessEnv): Client {
  if (!PAS_URL || !PAS_CLIENT_ID || !PAS_CLIENT_SECRET) {
    throw new Error("--live needs PAS_URL, PAS_CLIENT_ID and PAS_CLIENT_SECRET in the environment");
  }
  return { url: PAS_URL, clientId: PAS_CLIENT_ID, clientSecret: PAS_CLIENT_SECRET };
}

function fromFile(file: string, { PAS_URL }: NodeJS.ProcessEnv): Client {
  try {
    const { url, clientId, clientSecret } = JSON.parse(readFileSync(file, "utf8"));
    return { url: PAS_URL ?? url, clientId, clientSecret };
  } catch {
    throw new Error(
      `${file} holds no demo client: start the service with npm start, or name the file by --credentials`,
    );
  }
}
