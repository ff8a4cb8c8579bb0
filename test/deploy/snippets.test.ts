// Every sample of the documentation, run against a service: those of the guides, in the order of their page, and the
// requests that examples of problems are of.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { navigation } from "../../src/docs-site/guides.ts";
import { formatProblem, problemExamples } from "../../src/docs-site/problems.ts";
import type { ErrorCode } from "../../src/kernel/errors/error-table.ts";
import { addTwinCaller } from "../support/app.ts";
import { folderOfFile } from "../support/folders.ts";
import { appOfFile } from "../support/of-file.ts";
import { provide, provideLibrary } from "../support/run/programs.ts";

const run = promisify(execFile);

/** Where nobody takes webhooks; a test of an endpoint then says so, and succeeds. */
const nobody = "http://127.0.0.1:9";

await provide("jq");
await provide("/usr/bin/python3");
await provideLibrary("/usr/lib/python3/dist-packages/requests/__init__.py");
const app = await appOfFile();
const folder = folderOfFile();
// Samples are tried out, and those of the sandbox are for test credentials only.
const { credentials, token, partnerId } = await addTwinCaller(app, await app.addPartner());
const readOnly = await app.addClient(partnerId, ["results:read"]);
const environment: Record<string, string> = {
  PAS_URL: app.httpUrl,
  PAS_CLIENT_ID: credentials.clientId,
  PAS_CLIENT_SECRET: credentials.clientSecret,
  TOKEN: token,
  READ_ONLY_TOKEN: await app.tokenOf(readOnly),
  RECEIVER_URL: `${nobody}/guides`,
  EVENT_ID: "evt_guides",
  EXTERNAL_ID: "somebody-in-guides",
};

/** Runs a program of samples. @returns what it writes */
async function runSamples(language: string, program: string): Promise<string> {
  const file = join(folder, `samples.${{ sh: "sh", ts: "mts", python: "py" }[language]}`);
  await writeFile(file, program);
  const command = { sh: ["bash", "-eu", "-o", "pipefail"], ts: [process.execPath], python: ["/usr/bin/python3"] }[
    language
  ];
  const [name = "", ...options] = command ?? [];
  const env = { ...process.env, ...environment };
  const { stdout } = await run(name, [...options, file], {
    cwd: folder,
    env,
    maxBuffer: 32 << 20,
    timeout: 10 * 60_000,
  });
  return stdout;
}

/** Blocks of guides that are not run, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  "getting-started sh .data/demo-client.json":
    "needs the data folder of `npm start`; the other samples get the same three values",
  "hosted sh pas -- partner brand": "a command of operators; test/e2e/commands/commands.test.ts runs it",
  "hosted sh /links": "needs the id of a hosted session; test/e2e/cases/sessions/links.ts calls it",
  "hosted js createRemoteJWKSet": "test/services/hosted.test.ts runs it",
  "webhooks ts standardwebhooks": "a receiver, which never ends; test/e2e/webhooks/signature.test.ts runs it",
  "webhooks python def verify": "a function without a call; test/deploy/clients/webhook-receiver.test.ts calls it",
  "reports sh pas -- report": "needs files of the reader's; test/cli/report.test.ts runs this command",
  "results sh pas -- score": "runs in a checkout; test/cli/report.test.ts runs this command",
  "groups sh /report?locale": "needs a closed group with numbers; test/e2e/cases/groups.ts calls it",
  "exports sh curl": "writes files; test/validation/export-files.test.ts downloads and reads the same",
  "exports python pandas": "needs a file; test/deploy/export-samples.test.ts runs it on hostile external ids",
  "audit sh pas audit": "commands of operators; test/e2e/commands/commands.test.ts runs them",
  "sandbox sh pas partner twin": "commands of operators; test/services/test-twins.test.ts runs the first",
  "connect sh npm install": "installs packages of the reader's",
  "connect ts ./gen/": "needs generated code of the reader's; test/e2e/contract-others.test.ts calls every rpc so",
  "mcp sh npm ci": "test/deploy/clients/mcp.test.ts runs it",
  "trust sh npm run simulate": "takes minutes; it is how the page's figures were made",
  "first-partner sh ": "starts a service of its own; test/deploy/first-partner.test.ts runs all of it",
  "studies sh ": "needs people, and two weeks; test/deploy/studies.test.ts runs all of it",
  "runbook sh ": "commands of operators; test/faults/runbook runs those of the incidents",
};

interface Sample {
  readonly language: string;
  readonly code: string;
}

// Those of the clients, of examples/ and of deploy/ have tests of their own.
const guides = navigation.flatMap(({ links }) =>
  links.flatMap(({ path, file }) =>
    /\/docs\/[^/]+$/.test(file?.pathname ?? "") ? [{ name: path.slice("docs/".length) }] : [],
  ),
);
const listSamples = (name: string): Sample[] =>
  [...readFileSync(`docs/${name}.md`, "utf8").matchAll(/^( *)```(sh|ts|js|python)\n(.*?)^ *```$/gms)].map(
    ([, indent = "", language = "", code = ""]) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
const reasonFor = (name: string, { language, code }: Sample) =>
  Object.keys(notRun).find((key) => {
    const [page = "", kind = "", ...words] = key.split(" ");
    return page === name && kind === language && code.includes(words.join(" "));
  });

describe("guides", () => {
  const programs = guides.flatMap(({ name }) => {
    const samples = listSamples(name).filter((sample) => reasonFor(name, sample) === undefined);
    return [...new Set(samples.map(({ language }) => language))].map((language) => ({
      name,
      language,
      program: samples.flatMap((sample) => (sample.language === language ? [sample.code] : [])).join("\n"),
    }));
  });

  const gettingStarted = (language: string) =>
    programs.find(({ name, language: each }) => name === "getting-started" && each === language)?.program ?? "";

  beforeAll(async () => {
    const output = await runSamples("sh", `${gettingStarted("sh")}\necho; echo "$SESSION_ID"`);
    environment.SESSION_ID = output.trim().split("\n").at(-1) ?? "";
    environment.COMPLETED_ID = environment.SESSION_ID;
    environment.ENDPOINT_ID = "";
  });

  test.each(programs)("the samples of $name in $language run", async ({ language, program }) => {
    expect(await runSamples(language, program)).not.toMatch(/"status": ?4\d\d/);
  });

  test("every reason for not running a sample is used", () => {
    const usedReasons = guides.flatMap(({ name }) =>
      listSamples(name).flatMap((sample) => reasonFor(name, sample) ?? []),
    );
    expect([...new Set(usedReasons)].toSorted()).toEqual(Object.keys(notRun).toSorted());
  });

  test("getting started says in every language what the results are, and shows the numbers that come", async () => {
    const page = readFileSync("docs/getting-started.md", "utf8");
    const pageExamples = [...page.matchAll(/```json\n(\{\n {2}"(?:archetypeId|valueId)".*?)```/gs)].map(
      ([, json = ""]) => json,
    );
    expect(pageExamples.length).toBe(2);
    for (const language of ["sh", "ts", "python"]) {
      const output = words(await runSamples(language, gettingStarted(language)));
      for (const json of pageExamples) expect(output).toContain(words(json));
    }
  });

  /** Names and numbers, however a language writes an object. */
  function words(text: string): string {
    return text.replaceAll(/[^\w.]+/g, " ").trim();
  }
});

describe("problems", () => {
  const examples = Object.entries(problemExamples).map(
    ([code, { request }]) => [code, { request, ...JSON.parse(formatProblem(code as ErrorCode)) }] as const,
  );
  const withRequest = examples.filter(([, { request }]) => request !== undefined);

  test.each(withRequest)("%s is what the service says to its request", async (code, example) => {
    const output = await runSamples("sh", example.request ?? "");
    const { detail, errors = [] } = JSON.parse(output.slice(output.lastIndexOf('{"type"')));
    expect([code, detail, errors]).toEqual([code, example.detail, example.errors ?? []]);
  });
});
