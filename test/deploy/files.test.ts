// The files of deploy/ that a program of the machine reads: it finds nothing to say, and finds a fault that was put in.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderOfFile } from "../support/folders.ts";
import { provide } from "../support/run/programs.ts";
import { haproxyEnvironment } from "./support/haproxy.ts";

const run = promisify(execFile);
const folder = folderOfFile();

/** A copy of a file with a fault in it. */
async function broken(file: string, text: string, replacement: string): Promise<string> {
  const copy = join(folder, file.replaceAll("/", "-"));
  const content = await readFile(`deploy/${file}`, "utf8");
  expect(content).toContain(text);
  await writeFile(copy, content.replace(text, replacement));
  return copy;
}

test("Compose accepts the file, asks for secrets, and refuses a misspelt member", async () => {
  const program = await provide("docker-compose");
  const config = (file: string, env: Record<string, string>) =>
    run(program, ["-f", file, "config", "-q"], { env: { PATH: process.env.PATH ?? "", ...env } });
  const secrets = { MYSQL_PASSWORD: "x", METRICS_TOKEN: "y", WEBHOOK_KEY: "z", AUDIT_KEY: "z" };
  await config("deploy/compose.yaml", secrets);
  await expect(config("deploy/compose.yaml", { ...secrets, METRICS_TOKEN: "" })).rejects.toThrow("METRICS_TOKEN");
  await expect(config("deploy/compose.yaml", { ...secrets, WEBHOOK_KEY: "" })).rejects.toThrow("WEBHOOK_KEY");
  await expect(config(await broken("compose.yaml", "healthcheck:", "healthchek:"), secrets)).rejects.toThrow(
    "healthchek",
  );
});

test("HAProxy accepts its configuration, and refuses an unknown word", async () => {
  const program = await provide("haproxy");
  const env = haproxyEnvironment({ http: 8080, grpc: 50051 }, { http: 1, grpc: 2 }, { http: 3, grpc: 4 });
  const check = (file: string) => run(program, ["-c", "-f", file], { env });
  expect((await check("deploy/haproxy.cfg")).stderr).not.toMatch(/WARNING|ALERT/);
  await expect(check(await broken("haproxy.cfg", "timeout queue", "timeout queu"))).rejects.toThrow("queu");
});

test("systemd knows every line of the unit, and the unit leaves little to an attacker who breaks out of the process", async () => {
  const program = await provide("systemd-analyze");
  const measureExposure = async (file: string) => {
    const { stdout } = await run(program, ["security", "--offline=true", "--json=off", file]);
    return Number(/Overall exposure level for .*: (\d+\.\d)/.exec(stdout)?.[1]);
  };
  expect(await measureExposure("deploy/systemd/pas@.service")).toBeLessThan(2);
  const verification = await run(program, ["verify", "deploy/systemd/pas@.service"]).catch((error) => error);
  const complaints = String(verification.stderr)
    .split("\n")
    .filter((line) => !/^$|pas is not executable/.test(line));
  expect(complaints).toEqual([]);
  const copy = await broken("systemd/pas@.service", "ProtectHome=", "ProtectHom=");
  const faulty = await run(program, ["verify", copy]).catch((error) => error);
  expect(String(faulty.stderr)).toContain("ProtectHom");
});
