// What a release is: its changes are told, and what it promised is kept.
import { readdirSync, readFileSync } from "node:fs";
import { createRegistry } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ErrorReasonSchema } from "../../src/gen/assessment/v1/errors_pb.ts";
import { services } from "../../src/process/core.ts";
import { brokenOptions, readProtos } from "../../tools/releases/held-options.ts";
import { releasedVersions, releaseFiles, releasesFolder } from "../../tools/releases/releases.ts";
import { changedProtos } from "../support/processes/changed-protos.ts";

const changes = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## (\d+\.\d+\.\d+)(?: - (\d{4}-\d\d-\d\d))?$/gm)];

test("the changelog begins with the version of the package", () => {
  expect(changes[0]?.[1]).toBe(packageJson.version);
});

test("the MCP server has the version of the package", () => {
  expect(JSON.parse(readFileSync("mcp/package.json", "utf8")).version).toBe(packageJson.version);
});

test("every dated version of the changelog has its protos and a database", () => {
  const dated = changes.filter(([, , date]) => date !== undefined).map(([, version]) => version);
  expect(dated.length).toBeGreaterThan(0);
  expect(releasedVersions()).toEqual(dated.toReversed());
  for (const version of dated) {
    expect(readdirSync(`${releasesFolder}/${version}`)).toEqual(releaseFiles);
  }
});

describe("promises of releases beyond the shapes of messages", () => {
  const current = () => createRegistry(...services, ErrorReasonSchema);

  test.each(releasedVersions())(
    "scopes, paths and members of REST, and rows of errors are those of %s, or more",
    (version) => {
      const released = readProtos(readFileSync(`${releasesFolder}/${version}/proto.binpb`));
      expect(brokenOptions(released, current())).toEqual([]);
      expect(brokenOptions(released, createRegistry(...services.slice(1), ErrorReasonSchema))).not.toEqual([]);
    },
  );

  test.each<[fault: string, from: string, to: string, told: RegExp]>([
    [
      "another path",
      "/sessions/{session_id}/answers",
      "/sessions/{session_id}/ratings",
      /answers is: .* nothing is there/,
    ],
    ["another status", "status: 201\n      location", "status: 200\n      location", /sessions is: .*"status":201/],
    ["a body that is required", "body_optional: true", "body_optional: false", /complete without a body/],
    ["another scope", 'required_scope) = "sessions:write"', 'required_scope) = "admin"', /requires: sessions:write/],
    ["a read that is none", "    option idempotency_level = NO_SIDE_EFFECTS;\n", "", /GetSession is: a read/],
    [
      "a member that may be missing",
      "string session_id = 1 [",
      "string session_id = 1 [(json).left_out = true,",
      /JSON is/,
    ],
    ["a member that is required", "Struct metadata = 5", "Struct metadata = 5 [(json).required = true]", /is required/],
  ])("%s is found", async (_fault, from, to, told) => {
    const changed = await changedProtos("session_service.proto", (text) => text.replace(from, to)).build();
    expect(brokenOptions(createRegistry(...services), changed).join("\n")).toMatch(told);
  });
});
