// The layers hold: every import follows an arrow of the architecture, and there is no way around in a circle.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. A layer may always import itself; what is not named here stands at the top and may import all. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  gen: [],
  scoring: [],
  assessment: ["scoring"],
  domain: ["scoring", "assessment"],
  store: ["domain", "scoring"],
  contract: ["gen"],
  rpc: ["domain", "assessment", "scoring", "contract", "gen"],
  gateway: ["contract", "gen"],
  web: ["contract", "gen"],
  telemetry: ["config", "rpc"],
  config: [],
};

/** Packages that only these layers may import: what a layer is made of stays in it. */
const ownPackages: Readonly<Record<string, readonly string[]>> = {
  knex: ["store"],
  mysql2: ["store"],
  "@grpc/grpc-js": ["rpc"],
  "@grpc/reflection": ["rpc"],
  "grpc-health-check": ["rpc"],
  pino: ["telemetry"],
  "prom-client": ["telemetry"],
  jose: ["domain"],
  "@fastify/cookie": ["web"],
  "@remix-run/html-template": ["web"],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = globSync("src/**/*.ts");
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s+"([^"]+)"/g)].map(([, target = ""]) => ({ file, target })),
);
const local = imports
  .filter(({ target }) => target.startsWith("."))
  .map(({ file, target }) => ({ file, target: normalize(join(dirname(file), target)) }));

function layerOf(path: string): string {
  const [, first = ""] = path.split(sep);
  return first.replace(/\.ts$/, "");
}

/** The composition root, what it is made of, and the commands. */
const unrestricted = ["app", "cli", "core", "gateway-app", "main", "readiness"];

test("every folder and file of src is a layer with arrows", () => {
  const known = [...Object.keys(arrows), ...unrestricted];
  expect([...new Set(files.map(layerOf))].filter((layer) => !known.includes(layer))).toEqual([]);
});

test("every import between layers follows an arrow", () => {
  const wrong = local.filter(({ file, target }) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    return from !== to && !(arrows[from]?.includes(to) ?? unrestricted.includes(from));
  });
  expect(wrong).toEqual([]);
});

test("scoring imports nothing outside its folder", () => {
  expect(imports.filter(({ file, target }) => layerOf(file) === "scoring" && !target.startsWith("./"))).toEqual([]);
});

test("the domain knows no proto, HTTP, SQL or log", () => {
  const known = ["node:crypto", "node:timers/promises", "node:util", "node:zlib", "jose", "lru-cache", "uuid"];
  const wrong = imports.filter(
    ({ file, target }) => layerOf(file) === "domain" && !target.startsWith(".") && !known.includes(target),
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
    return owners !== undefined && !owners.includes(layerOf(file));
  });
  expect(wrong).toEqual([]);
});

test("no import leads in a circle", () => {
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

test("no file has a default export, and only config is handed the environment", () => {
  for (const file of files.filter((each) => layerOf(each) !== "gen")) {
    const text = readFileSync(file, "utf8");
    expect([file, /export default/.test(text)]).toEqual([file, false]);
    expect([file, text.includes("process.env") && file !== join("src", "main.ts")]).toEqual([file, false]);
  }
});
