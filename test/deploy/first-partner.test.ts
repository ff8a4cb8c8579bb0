// "Your first partner in production", run as it stands: every command of the page, in its order, on an empty database and
// against the service that the page starts.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderOfTest } from "../support/folders.ts";
import { emptyDatabaseOfTest } from "../support/of-test.ts";
import { freePort } from "../support/processes/free-port.ts";
import { provide } from "../support/run/programs.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";

const run = promisify(execFile);
const page = readFileSync("docs/first-partner.md", "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);

test("the page leads from an empty database to a webhook and a hosted session at the address that it names", async () => {
  await provide("jq");
  const database = await emptyDatabaseOfTest();
  const folder = folderOfTest();
  await writeFile(join(folder, "pas"), `#!/bin/sh\nexec "${process.execPath}" "${process.cwd()}/src/main.js" "$@"\n`);
  await chmod(join(folder, "pas"), 0o755);
  const receiver = await startReceiver();
  const [http, grpc] = [String(await freePort()), String(await freePort())];
  const publicUrl = `http://127.0.0.1:${http}`;
  expect(blocks.filter((block) => block === "pas serve\n")).toHaveLength(1);
  const program = blocks
    .join("echo ---\n")
    .replace("mysql://pas:PASSWORD@db.internal:3306/pas", database.url)
    .replace("https://assessments.example", publicUrl)
    .replace("pas serve\n", 'pas serve > serve.log & SERVICE=$!; trap "kill $SERVICE; wait $SERVICE || true" EXIT\n')
    .replace('curl -sS "$PUBLIC_URL/readyz"', 'until curl -fsS "$PUBLIC_URL/readyz" 2>/dev/null; do sleep 0.2; done');
  expect(program).not.toMatch(/\.internal|assessments\.example/);
  await writeFile(join(folder, "page.sh"), program);
  const { PATH = "" } = process.env;
  const env = {
    ...{ PATH: `${folder}:${PATH}`, HTTP_PORT: http, GRPC_PORT: grpc, METRICS_PORT: "0", RECEIVER_URL: receiver.url },
    ...{ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", LOG_LEVEL: "warn" },
  };
  const { stdout } = await run("bash", ["-eu", "-o", "pipefail", "page.sh"], {
    cwd: folder,
    env,
    timeout: 15 * 60_000,
  });
  const [, migrated = "", , ready = "", , , webhook = "", session = ""] = stdout.split("---\n");
  expect(migrated).toContain('"instrument":"published"');
  expect(migrated).not.toMatch(/^(warn|fail) /m);
  expect(JSON.parse(ready)).toMatchObject({ status: "ready" });
  expect(
    webhook
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { status: 204, error: null },
    { url: receiver.url, state: "healthy", types: ["session.completed"] },
  ]);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["webhook.test"]);
  expect(JSON.parse(session).hostedUrl).toMatch(new RegExp(`^${publicUrl}/hosted/`));
});
