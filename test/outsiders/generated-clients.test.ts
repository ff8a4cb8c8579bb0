// Clients that openapi-generator makes of the OpenAPI document: each has every operation, and its package loads.
import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "../../tools/docs/pages/openapi-document.ts";
import { folderOfFile } from "../support/folders.ts";
import { extent, pathOf } from "./support/means.ts";
import { run, runIn } from "./support/run.ts";

interface Generator {
  readonly name: string;
  /** The files with the operations. */
  readonly files: string;
  /** How the function of an operation is declared. */
  readonly declaration: (operationId: string) => string;
  /** Compiles or imports the package in its folder. Undefined: prepare.ts says that this machine cannot. */
  readonly load: ((folder: string) => Promise<unknown>) | undefined;
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const maven = (folder: string) =>
  runIn(folder, "mvn", ["--quiet", "--batch-mode", "-Dmaven.test.skip=true", "compile"]);

/** Checks the package with the compiler of this repository. */
async function loadTypeScript(folder: string): Promise<void> {
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
  await run(resolve("node_modules/.bin/tsc"), [
    "--ignoreConfig",
    ...options,
    "--lib",
    "es2022,dom",
    join(folder, "index.ts"),
  ]);
}

/** Installs the package with what it needs, and imports all of it. */
async function loadPython(folder: string): Promise<void> {
  await run("python3", ["-m", "venv", join(folder, "venv")]);
  const python = join(folder, "venv/bin/python");
  await run(python, ["-m", "pip", "install", "--quiet", folder]);
  const program = "import openapi_client as c; [getattr(c, name) for name in c.__all__]";
  await runIn(tmpdir(), python, ["-c", program]);
}

const go = pathOf("go");
async function loadGo(program: string, folder: string): Promise<void> {
  await runIn(folder, program, ["mod", "tidy"]);
  await runIn(folder, program, ["build", "./..."]);
}

const generators: readonly Generator[] = [
  {
    name: "typescript-fetch",
    files: "apis/*.ts",
    declaration: (id) => `async ${id}(`,
    load: loadTypeScript,
  },
  {
    name: "python",
    files: "openapi_client/api/*.py",
    declaration: (id) => `def ${snake(id)}(`,
    load: loadPython,
  },
  {
    name: "java",
    files: "src/main/java/**/api/*.java",
    declaration: (id) => ` ${id}(`,
    load: maven,
  },
  {
    name: "go",
    files: "api_*.go",
    declaration: (id) => `Service) ${pascal(id)}(`,
    load: go === undefined ? undefined : (folder) => loadGo(go, folder),
  },
];
/** Those that take seconds. */
const quick = ["typescript-fetch", "python"];

const jar = pathOf("openapi-generator");
if (jar !== undefined) {
  const folder = folderOfFile();
  let operationIds: readonly string[];
  beforeAll(async () => {
    const document = openApiDocument();
    operationIds = Object.values(document.paths ?? {}).flatMap((item) =>
      [item?.get, item?.put, item?.post, item?.patch, item?.delete].flatMap(
        (operation) => operation?.operationId ?? [],
      ),
    );
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  });

  const chosenGenerators = extent() === "full" ? generators : generators.filter(({ name }) => quick.includes(name));
  describe.each(chosenGenerators)("the client in $name", ({ name, files, declaration, load }) => {
    let client: string;
    beforeAll(async () => {
      client = join(folder, name);
      await run("java", ["-jar", jar, "generate", "-i", join(folder, "openapi.json"), "-g", name, "-o", client]);
    });

    test(`openapi-generator gives its client in ${name} every operation`, () => {
      const text = globSync(join(client, files))
        .map((file) => readFileSync(file, "utf8"))
        .join("\n");
      expect(operationIds.length).toBeGreaterThan(45);
      expect(operationIds.filter((id) => !text.includes(declaration(id)))).toEqual([]);
    });

    if (load !== undefined) {
      test(`the client in ${name} that openapi-generator makes loads`, async () => {
        await expect(load(client)).resolves.not.toThrow();
      });
    }
  });
}
