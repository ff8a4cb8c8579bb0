// The image: built without privileges, and run read-only as a user who is not root.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import lock from "../../package-lock.json" with { type: "json" };
import { startDatabaseProxy } from "../support/databases/database-proxy.ts";
import { emptyDatabaseOfTest } from "../support/of-test.ts";
import { freePort } from "../support/processes/free-port.ts";
import { isServed } from "../support/processes/loopback.ts";
import { until } from "../support/until.ts";
import { buildImage, type Image } from "./support/image.ts";

let image: Image;
let inside: Inside;
beforeAll(async () => {
  image = await buildImage();
  const running = image.start(["-e", look], {}, "node");
  expect([await running.ended, running.output()]).toEqual([0, expect.any(Object)]);
  inside = JSON.parse(running.output().stdout.trim().split("\n").at(-1) ?? "");
});
afterAll(() => image?.remove());

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly unknown[];
}

/** What a program in a container sees. */
interface Inside {
  readonly user: number;
  /** The code of the error that writing ends with. */
  readonly writing: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
  /** How a picture begins that was drawn there. */
  readonly picture: string;
  /** Whether the templates of PDFs are there. */
  readonly template: boolean;
  readonly sbom: {
    readonly bomFormat: string;
    readonly components: readonly Component[];
  };
}
const look = `
let writing = "";
try { fs.writeFileSync("/app/x", "") } catch ({ code }) { writing = code }
const { packages } = JSON.parse(fs.readFileSync("/app/package-lock.json"));
console.log(JSON.stringify({
  user: process.getuid(),
  writing,
  files: fs.readdirSync("/app"),
  packages: Object.keys(packages).filter((path) => path !== "" && fs.existsSync("/app/" + path)),
  picture: new (require("/app/node_modules/@resvg/resvg-js").Resvg)('<svg xmlns="http://www.w3.org/2000/svg"/>').render().asPng().toString("latin1", 1, 4),
  template: fs.existsSync("/app/src/products/values-bridge/report-rendering/templates/report.typ"),
  sbom: JSON.parse(fs.readFileSync("/app/sbom.cdx.json")),
}))`;

test("the image says how it is stopped, which user it runs as, and how its health is checked", () => {
  expect(image.configuration).toMatchObject({
    User: "65532:65532",
    StopSignal: "SIGTERM",
    Entrypoint: ["/app/src/main.js"],
    Cmd: ["serve"],
    Healthcheck: { Test: ["CMD", "node", "-e", expect.stringContaining("/livez")] },
  });
});

test("nothing in the image can be written, and nothing is in it that the service does not need", () => {
  const { user, writing, files, packages } = inside;
  expect([user, writing]).toEqual([65532, "EROFS"]);
  expect(files).toEqual(["docs", "node_modules", "package-lock.json", "package.json", "sbom.cdx.json", "src"]);
  const isForDevelopment = (path: string) =>
    Object.entries(lock.packages).some(([each, entry]) => each === path && "dev" in entry && entry.dev);
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(isForDevelopment)).toEqual([]);
});

test("the image draws pictures, for which a package of its platform is needed", () => {
  expect([inside.picture, inside.template]).toEqual(["PNG", true]);
});

test("the image lists every package that it holds, with licence and hash", () => {
  const { sbom, packages } = inside;
  expect(sbom.bomFormat).toBe("CycloneDX");
  const versions = new Map(Object.entries(lock.packages).map(([path, { version }]) => [path, version]));
  // Of one version there may be several copies.
  const packageNames = new Set(packages.map((path) => `${path.split("node_modules/").at(-1)}@${versions.get(path)}`));
  expect(sbom.components.map((component) => component["bom-ref"]).toSorted()).toEqual([...packageNames].toSorted());
  for (const { name, licenses = [], hashes = [] } of sbom.components) {
    expect([name, licenses.length, hashes.length]).toEqual([name, 1, 1]);
  }
});

test("the image migrates, serves, and ends in order with its first process", async () => {
  const database = await emptyDatabaseOfTest();
  const { username, pathname, searchParams } = new URL(database.url);
  const proxy = await startDatabaseProxy({ path: searchParams.get("socketPath") ?? "" });
  const environment = {
    DATABASE_URL: `mysql://${username}@127.0.0.1:${proxy.port}${pathname}`,
    HOST: "127.0.0.1",
    HTTP_PORT: String(await freePort()),
    GRPC_PORT: String(await freePort()),
    SHUTDOWN_DELAY_SECONDS: "0",
  };
  const migration = image.start(["migrate"], environment);
  expect([await migration.ended, migration.output().stdout]).toEqual([
    0,
    expect.stringContaining('"instrument":"published"'),
  ]);
  const service = image.start(["serve"], environment);
  const url = `http://127.0.0.1:${environment.HTTP_PORT}`;
  await Promise.race([
    until(() => isServed(`${url}/readyz`)),
    service.ended.then(() => Promise.reject(new Error(service.output().stdout))),
  ]);
  const [, health = ""] = /CMD \["node", "-e", "(.+)"\]/.exec(readFileSync("deploy/Containerfile", "utf8")) ?? [];
  const isHealthy = (port: number | string) =>
    promisify(execFile)("node", ["-e", health], { env: { ...process.env, HTTP_PORT: String(port) } });
  await isHealthy(environment.HTTP_PORT);
  await expect(isHealthy(await freePort())).rejects.toMatchObject({ code: 1 });
  service.kill("SIGTERM");
  expect([await service.ended, service.output().stdout]).toEqual([0, expect.stringContaining('"msg":"stopping"')]);
});
