// What a release is: its changes are told, and what it promised is kept.
import { readdirSync, readFileSync } from "node:fs";
import { createRegistry } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ErrorReasonSchema } from "../../src/gen/assessment/v1/errors_pb.ts";
import { services } from "../../src/kernel/services.ts";
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

describe("promises of releases", () => {
  const file = "session_service.proto";
  const current = () => createRegistry(...services, ErrorReasonSchema);

  test.each(releasedVersions())(
    "scopes, paths and members of REST, and rows of errors are those of %s, or more",
    (version) => {
      const releasedProtos = readProtos(readFileSync(`${releasesFolder}/${version}/proto.binpb`));
      expect(brokenOptions(releasedProtos, current())).toEqual([]);
      expect(brokenOptions(releasedProtos, createRegistry(...services.slice(1), ErrorReasonSchema))).not.toEqual([]);
    },
  );

  test("the check of every change accepts additions, and refuses what buf finds broken", async () => {
    const addMessage = (text: string) => `${text}\nmessage NeverSeenBefore {}\n`;
    expect(await changedProtos(file, addMessage).breaking()).toBe("");
    const broken = (text: string) =>
      text
        .replace("rpc GetSession(", "rpc FetchSession(")
        .replace(/ {2}rpc ListSessions\([\s\S]*?\n {2}\}\n/, "")
        .replace("string session_id = 1", "string id = 1");
    const faults = await changedProtos(file, broken).breaking();
    for (const fault of [/"GetSession".*deleted/, /"ListSessions".*deleted/, /"session_id"/]) {
      expect(faults).toMatch(fault);
    }
  });

  const faults: readonly (readonly [from: string, to: string, told: RegExp])[] = [
    ["/sessions/{session_id}/answers", "/sessions/{session_id}/ratings", /answers is: .* nothing is there/],
    ["status: 201\n      location", "status: 200\n      location", /POST \S+\/sessions is: .*"status":201/],
    ["body_optional: true", "body_optional: false", /complete without a body is: accepted/],
    ['required_scope) = "sessions:write"', 'required_scope) = "admin"', /CreateSession requires: sessions:write/],
    ["    option idempotency_level = NO_SIDE_EFFECTS;\n", "", /GetSession is: a read/],
    ["string session_id = 1 [", "string session_id = 1 [(json).left_out = true,", /\.session_id in JSON is/],
    ["Struct metadata = 5", "Struct metadata = 5 [(json).required = true]", /metadata is required/],
  ];

  test("another path, status, scope or name, and whatever is required or missing now, are found", async () => {
    const change = (text: string) => faults.reduce((content, [from, to]) => content.replace(from, to), text);
    const broken = brokenOptions(createRegistry(...services), await changedProtos(file, change).build());
    for (const [, , message] of faults) expect(broken.join("\n")).toMatch(message);
  });
});
