// The layers hold: every import follows an arrow of the architecture, and there are no import cycles.
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { findLayer, type Layer, layers, layersByNoun, mayImport, nouns } from "../../tools/architecture/layers.ts";
import { testFolders } from "../../tools/architecture/test-folders.ts";

/** Packages that only these layers may import: what a layer is made of stays in it. */
const ownPackages: Readonly<Record<string, readonly string[]>> = {
  knex: ["database"],
  mysql2: ["database", "database/embedded", "store"],
  "@grpc/grpc-js": ["transport/grpc"],
  "@grpc/reflection": ["transport/grpc"],
  "grpc-health-check": ["transport/grpc"],
  pino: ["telemetry"],
  "prom-client": ["telemetry"],
  "@opentelemetry/api": ["telemetry"],
  "@opentelemetry/exporter-trace-otlp-proto": ["telemetry"],
  "@opentelemetry/resources": ["telemetry"],
  "@opentelemetry/sdk-trace": ["telemetry"],
  jose: ["services"],
  "@fastify/cookie": ["pages"],
  "@remix-run/html-template": ["docs-site", "pages", "products/values-bridge/report"],
  "d3-shape": ["products/values-bridge/report"],
  "@myriaddreamin/typst-ts-node-compiler": ["products/values-bridge/report-rendering"],
  "@resvg/resvg-js": ["products/values-bridge/report-rendering"],
  piscina: ["products/values-bridge/report-rendering"],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = globSync(["src/**/*.ts", "src/main.js"]);
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from\s+|import\s+|import\()"([^"]+)"/g)].map(([, target = ""]) => ({
    file,
    target,
  })),
);
const local = imports
  .filter(({ target }) => target.startsWith("."))
  .map(({ file, target }) => ({ file, target: normalize(join(dirname(file), target)) }));

function findLayerName(file: string): string {
  return findLayer(file)?.name ?? "none";
}

test("every file of src belongs to a layer, and every layer has files", () => {
  expect(files.filter((file) => findLayer(file) === undefined)).toEqual([]);
  const usedLayers = new Set(files.map(findLayerName));
  expect(layers.filter(({ name }) => !usedLayers.has(name))).toEqual([]);
});

test("layers that are parted by noun have no other folders", () => {
  const folders = layersByNoun.flatMap((layer) => globSync(`src/${layer}/*/`));
  expect(folders.filter((folder) => !nouns.includes(basename(folder)))).toEqual([]);
  expect(nouns.filter((noun) => !folders.some((folder) => basename(folder) === noun))).toEqual([]);
});

test("every folder of test is described, and exists", () => {
  const folders = globSync("test/*/").map((folder) => basename(folder));
  expect(folders.toSorted()).toEqual(testFolders.map(({ name }) => name).toSorted());
});

test("every import between layers follows an arrow", () => {
  const wrong = local.filter(({ file, target }) => {
    const [from, to] = [findLayer(file), findLayer(target)];
    return from === undefined || to === undefined || !mayImport(from, to);
  });
  expect(wrong).toEqual([]);
});

test("outside of src/products the product is what product.ts says, and only roots of processes and commands make one", () => {
  const isInside = (path: string) => path.startsWith("src/products/");
  const crossing = local.filter(({ file, target }) => !isInside(file) && isInside(target));
  const mayMake = ["process", "cli"];
  const wrong = crossing.filter(({ file, target }) => {
    if (target === "src/products/product.ts") return false;
    return target !== "src/products/values-bridge/values-bridge.ts" || !mayMake.includes(findLayerName(file));
  });
  expect(wrong).toEqual([]);
});

test("every arrow is used by an import", () => {
  const isTaken = (from: Layer, to: string) =>
    local.some(({ file, target }) => findLayer(file) === from && findLayerName(target) === to);
  const idle = layers.flatMap((from) =>
    from.mayImport === "all" ? [] : from.mayImport.filter((to) => !isTaken(from, to)).map((to) => [from.name, to]),
  );
  expect(idle).toEqual([]);
});

test("scoring imports nothing outside its folder, but for the types of its messages", () => {
  const isScoring = (path: string) => findLayerName(path) === "products/values-bridge/scoring";
  const wrong = files.filter(isScoring).flatMap((file) => {
    const code = stripTypeScriptTypes(readFileSync(file, "utf8"));
    const targets = [...code.matchAll(/(?:from\s+|import\s+|import\()"([^"]+)"/g)].map(([, target = ""]) => target);
    return targets.filter((target) => !isScoring(normalize(join(dirname(file), target))));
  });
  expect(wrong).toEqual([]);
});

test("the domain knows no HTTP, SQL or log", () => {
  const allowedModules = ["node:crypto", "node:timers/promises", "node:util", "node:zlib", "lru-cache", "uuid"];
  const wrong = imports.filter(
    ({ file, target }) =>
      findLayerName(file) === "domain" && !target.startsWith(".") && !allowedModules.includes(target),
  );
  expect(wrong).toEqual([]);
});

test("packages that make a layer are imported by that layer only", () => {
  const wrong = imports.filter(({ file, target }) => {
    const owners =
      ownPackages[
        target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/")
      ];
    return owners !== undefined && !owners.includes(findLayerName(file));
  });
  expect(wrong).toEqual([]);
});

test("there are no import cycles", () => {
  const targets = new Map(
    files.map((file) => [file, local.filter((each) => each.file === file).map((each) => each.target)]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" > "));
    if (done.has(file)) return;
    done.add(file);
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test("no file has a default export, and only config reads the environment", () => {
  for (const file of files.filter((each) => findLayerName(each) !== "gen")) {
    const text = readFileSync(file, "utf8");
    expect([file, /export default/.test(text)]).toEqual([file, false]);
    expect([file, text.includes("process.env") && file !== join("src", "main.js")]).toEqual([file, false]);
  }
});
