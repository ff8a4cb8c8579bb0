// What a release is: its changes are told, and what it promised is kept.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { releasedVersions, releasesFolder } from "../tools/releases/releases.ts";

const changes = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d\d-\d\d))?$/gm)];

test("the changelog begins with the version of the package", () => {
  expect(changes[0]?.[1]).toBe(packageJson.version);
});

test("every dated version of the changelog has its protos and its OpenAPI document", () => {
  const dated = changes.filter(([, , date]) => date !== undefined).map(([, version]) => version);
  expect(dated.length).toBeGreaterThan(0);
  expect(releasedVersions()).toEqual(dated.toReversed());
  for (const version of dated) {
    expect(existsSync(`${releasesFolder}/${version}/proto.binpb`), version).toBe(true);
    expect(existsSync(`${releasesFolder}/${version}/openapi.json`), version).toBe(true);
  }
});
