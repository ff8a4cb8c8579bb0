// What REST answers to a script of requests, to the byte: every operation, its success and its usual refusals. The
// recording is a file; `vitest -u` writes it anew where a change of the interface is meant.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { addCaller, addTwinCaller } from "../support/app.ts";
import type { Credentials } from "../support/databases/partners.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { fetchOpenApi } from "../support/openapi.ts";
import { oddRequests } from "../support/transports/odd-requests.ts";
import { recordedScript, type Say } from "../support/transports/recorded-script.ts";
import { examplesOf, type Recorded } from "../support/transports/response-examples.ts";

/** Longer bodies are in the recording as their beginning and a hash. */
const maxRecorded = 1_500;
const keptHeaders = [
  ...["content-type", "location", "idempotent-replayed", "warning-unused", "cache-control", "vary"],
  ...["allow", "retry-after", "www-authenticate"],
];
/** What is another one each time. */
const passingHeaders = ["date", "ratelimit", "etag", "content-length"];

const app = await appOfFile();
const gateway = await gatewayOfFile(app);

type Script = (say: Say, credentials: Credentials) => Promise<void>;

/** Says a script to a server as a new caller. @returns the recording, and what each response has of headers */
async function record(httpUrl: string, script: Script) {
  const { token: live, partnerId, credentials } = await addCaller(app);
  const tokens: Readonly<Record<string, string>> = {
    live,
    twin: (await addTwinCaller(app, partnerId)).token,
    reader: await app.tokenOf(await app.addClient(partnerId, ["sessions:read"])),
    nobody: "nobody",
  };
  const lines: string[] = [];
  const recorded: Recorded[] = [];
  const allHeaders: string[] = [];
  const mask = masking(app.httpUrl);
  const say: Say = async (method, path, { body, raw, headers = {}, as = "live", unrecorded = false } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(httpUrl + path, {
      method,
      headers: {
        ...(as === "none" ? {} : { authorization: `Bearer ${tokens[as]}` }),
        "x-request-id": "recorded",
        ...(sent === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    if (unrecorded) return text;
    const answer = path.startsWith("/v1/events?limit=500") ? sortEvents(mask(text)) : mask(text);
    const kept = keptHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [`${name}: ${mask(value)}`];
    });
    const more = Object.entries(headers).map(
      ([name, value]) => ` with ${name}: ${value.replace(/^Basic .+/, "Basic …")}`,
    );
    const shown = typeof sent === "object" ? `bytes ${Buffer.from(sent).toString("hex")}` : (sent ?? "");
    lines.push(`> ${method} ${mask(path)} as ${as}${more.join("")} ${inShort(mask(shown))}`);
    lines.push(`< ${response.status} ${kept.join("; ")}`, inShort(answer), "");
    const lasting = [...response.headers].filter(([name]) => !passingHeaders.includes(name));
    // Names of files begin as ids do: with the time.
    allHeaders.push(mask(lasting.join("\n")).replaceAll(/-[0-9a-f]{8}(?=\.\w+")/g, "-id"));
    recorded.push({
      method,
      path,
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      text: answer,
    });
    return text;
  };
  await script(say, credentials);
  return { lines, recorded, allHeaders };
}

/** The bytes that were recorded, which a gateway of its own gives as well. */
async function expectRecorded(script: Script, file: string): Promise<readonly Recorded[]> {
  const { recorded, ...served } = await record(app.httpUrl, script);
  await expect(served.lines.join("\n")).toMatchFileSnapshot(file);
  expect(await record(gateway.httpUrl, script)).toMatchObject(served);
  return recorded;
}

test("every operation answers a script of requests with the bytes that were recorded, in one process and in two", async () => {
  const recorded = await expectRecorded(recordedScript, "recorded/responses.txt");
  const examples = examplesOf(recorded, await fetchOpenApi(app.httpUrl));
  await expect(`${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot(
    "../../tools/openapi/response-examples.json",
  );
});

test("odd requests are answered with the bytes that were recorded, in one process and in two, and nothing refused is stored", async () => {
  await expectRecorded(oddRequests, "recorded/odd-requests.txt");
});

/** By session, or group: the order of events of different ones depends on when the log took them. */
function sortEvents(text: string): string {
  const page = JSON.parse(text) as { readonly events: readonly { readonly id: string }[] };
  const resource = (id: string) => id.split("_")[1] ?? "";
  const events = page.events.toSorted((one, other) => resource(one.id).localeCompare(resource(other.id)));
  return JSON.stringify({ ...page, events });
}

test("the recording names every operation of the OpenAPI document", async () => {
  const { paths } = await fetchOpenApi(app.httpUrl);
  const recording = await readFile(new URL("recorded/responses.txt", import.meta.url), "utf8");
  const missing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => `> ${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[^/ ?]+")}[ ?]`)
      .filter((pattern) => !path.startsWith("/oauth/") && !new RegExp(pattern).test(recording)),
  );
  expect(missing).toEqual([]);
});

/** Replaces what is another one each time: addresses, ids, times, secrets, and what jobs have done by then. */
function masking(httpUrl: string): (text: string) => string {
  const ids = new Map<string, string>();
  const named = (id: string) => {
    const key = id.replaceAll("-", "").toLowerCase();
    const mark = ids.get(key) ?? `id-${ids.size + 1}`;
    ids.set(key, mark);
    return mark;
  };
  return (text) =>
    text
      .replaceAll(httpUrl, "http://service")
      .replaceAll(/(?<![0-9a-f])[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}(?![0-9a-f])/gi, named)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
      .replaceAll(/\b\d{1,2}\.? \p{Lu}\p{L}+ \d{4}\b/gu, "<day>")
      .replaceAll(/\b(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}\b/g, "7K3M-Q9XD-2HVB")
      .replaceAll(/("qrSvg":"<svg)(?:[^"\\]|\\.)*/g, "$1></svg>")
      .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, "whsec_<secret>")
      .replaceAll(/("(?:next|nextCursor|sequence)":)"[^"]+"/g, '$1"<cursor>"')
      .replaceAll(/("(?:tookMs|aheadSeconds|backlog)":)\d+/g, "$1<number>")
      .replaceAll(/[\w-]{40,}/g, (word) => (/\d/.test(word) && /[a-z]/.test(word) ? "<token>" : word));
}

function inShort(text: string): string {
  if (text.length <= maxRecorded) return text;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${text.slice(0, maxRecorded)}… ${text.length} characters, SHA-256 ${hash}`;
}
