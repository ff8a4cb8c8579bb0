// The recipe for a new rpc, followed on paper: the files that it names are those that the latest rpcs are in.
import { globSync, readFileSync } from "node:fs";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/gateway/openapi/operations.ts";
import { releasedVersions, releasesFolder } from "../../tools/releases/releases.ts";

const [, recipe = ""] = /^### A new rpc\n(.*?)^### /ms.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
const steps = recipe.slice(recipe.indexOf("\n1. "));
const files = globSync("{src,proto,test}/**/*.{ts,proto}").filter((file) => !file.startsWith("src/gen/"));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8").toLowerCase()]));

const released = new Set(
  releasedVersions()
    .slice(-1)
    .flatMap((version) => {
      const set = fromBinary(FileDescriptorSetSchema, readFileSync(`${releasesFolder}/${version}/proto.binpb`));
      return set.file.flatMap(({ service }) => service.flatMap(({ method }) => method.map(({ name }) => name)));
    }),
);
const added = Object.values(operations).filter(({ rpc }) => !released.has(rpc.name));

/** Paths of a text as patterns; an ellipsis stands for any characters. */
function pathsOf(text: string): RegExp[] {
  const quoted = [...text.matchAll(/`([\w./…-]+\/[\w./…-]+)`/g)].map(([, path = ""]) => path);
  return quoted.map((path) => new RegExp(`^${path.replaceAll(".", "\\.").replace("…", ".*")}$`));
}

test("there are rpcs that came since the last release", () => {
  expect(released.size).toBeGreaterThan(10);
  expect(added.length).toBeGreaterThan(0);
});

describe.each(added.map((operation) => [operation.rpc.name, operation] as const))("%s", (name, { url }) => {
  const touched = files.filter((file) => texts.get(file)?.includes(name.toLowerCase()));

  test("is in no file that the recipe leaves out", () => {
    const named = pathsOf(steps);
    expect(touched.filter((file) => !named.some((path) => path.test(file)))).toEqual([]);
  });

  test("is in every place that the recipe always names", () => {
    const always = steps.replaceAll(/\bIf [^:]*:[^.`]*(?:`[^`]*`[^`.]*)*\./g, "");
    const missing = pathsOf(always).filter((path) => !touched.some((file) => path.test(file)));
    expect(missing).toEqual([]);
  });

  test("has its path in the table of operations and in the changelog", () => {
    const end = url.slice(url.lastIndexOf("/")).replace(/:(\w+)/, "{$1}");
    for (const page of ["docs/interface.md", "CHANGELOG.md"]) expect(readFileSync(page, "utf8"), page).toContain(end);
  });
});
