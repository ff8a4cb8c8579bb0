// What a release is: its changes are told, and what it promised is kept.
import { readdirSync, readFileSync } from "node:fs";
import { createRegistry } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ErrorReasonSchema } from "../../src/gen/assessment/v1/errors_pb.ts";
import { services } from "../../src/process/core.ts";
import { openApiDocument } from "../../tools/docs/pages/openapi-document.ts";
import { type ApiDocument, brokenPromises } from "../../tools/releases/held-document.ts";
import { brokenOptions, readProtos } from "../../tools/releases/held-options.ts";
import { releasedVersions, releaseFiles, releasesFolder } from "../../tools/releases/releases.ts";

const changes = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d\d-\d\d))?$/gm)];

test("the changelog begins with the version of the package", () => {
  expect(changes[0]?.[1]).toBe(packageJson.version);
});

test("the MCP server has the version of the package", () => {
  expect(JSON.parse(readFileSync("mcp/package.json", "utf8")).version).toBe(packageJson.version);
});

test("every dated version of the changelog has its protos, its OpenAPI document and a database", () => {
  const dated = changes.filter(([, , date]) => date !== undefined).map(([, version]) => version);
  expect(dated.length).toBeGreaterThan(0);
  expect(releasedVersions()).toEqual(dated.toReversed());
  for (const version of dated) {
    expect(readdirSync(`${releasesFolder}/${version}`)).toEqual(releaseFiles);
  }
});

describe("promises of releases beyond the shapes of messages", () => {
  const current = () => createRegistry(...services, ErrorReasonSchema);

  test.each(releasedVersions())("scopes of rpcs and rows of errors are those of %s, or more", (version) => {
    const released = readProtos(readFileSync(`${releasesFolder}/${version}/proto.binpb`));
    expect(brokenOptions(released, current())).toEqual([]);
    expect(brokenOptions(released, createRegistry(...services.slice(1), ErrorReasonSchema))).not.toEqual([]);
  });

  const documentOf = (version: string): ApiDocument =>
    JSON.parse(readFileSync(`${releasesFolder}/${version}/openapi.json`, "utf8"));

  test.each(releasedVersions())("the OpenAPI document has everything that %s had", async (version) => {
    expect(brokenPromises(documentOf(version), (await openApiDocument()) as unknown as ApiDocument)).toEqual([]);
  });

  const [oldest = ""] = releasedVersions();
  const create = ["paths", "/v1/{product}/sessions", "post"];
  const schemas = ["components", "schemas"];
  test.each<[fault: string, place: string[], value: unknown, told: RegExp]>([
    ["an operation that is gone", create, undefined, /sessions is gone/],
    ["a member that is required", [...schemas, "CreateSessionRequest", "required"], ["mode"], /mode is required/],
    [
      "a member of another type",
      [...schemas, "CompletedSession", "properties", "sessionId", "type"],
      "integer",
      /sessionId: integer, and was string/,
    ],
    ["another scope", [...create, "security"], [{ oauth2: ["admin"] }], /another scope/],
  ])("%s is found", (_fault, place, value, told) => {
    const changed = structuredClone(documentOf(oldest));
    change(changed, place, value);
    expect(brokenPromises(documentOf(oldest), changed).join("\n")).toMatch(told);
  });
});

/** Sets a value within a document, or removes what is there. */
function change(document: object, place: readonly string[], value: unknown): void {
  const holder = place.slice(0, -1).reduce((found, name) => (found as Record<string, object>)[name] ?? {}, document);
  const lastStep = place.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(holder, lastStep);
  else Reflect.set(holder, lastStep, value);
}
