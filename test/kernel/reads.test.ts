// Rpcs that only read say so (idempotency_level), and can then be called by GET over Connect.
import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMethod, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/gateway/rest/operations.ts";
import { isBrowserScope } from "../../src/kernel/calls/core.ts";
import { requiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/process/core.ts";
import { releasedVersions, releasesFolder } from "../../tools/releases/releases.ts";

const rpcs = services.flatMap(({ methods }) => methods);
const isRead = ({ idempotency }: DescMethod) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
const nameOf = ({ parent, name }: DescMethod) => `${parent.typeName}/${name}`;
const reads = rpcs.filter(isRead).map(nameOf);

test("an rpc is a read exactly if REST serves it by GET", () => {
  for (const { method, rpc } of operations) {
    expect([nameOf(rpc), isRead(rpc)]).toEqual([nameOf(rpc), method === "GET"]);
  }
});

test("an rpc without a route is a read if its name says so", () => {
  const routed = new Set<DescMethod>(operations.map(({ rpc }) => rpc));
  for (const rpc of rpcs.filter((each) => !routed.has(each) && !isBrowserScope(requiredScope(each)))) {
    expect([nameOf(rpc), isRead(rpc)]).toEqual([nameOf(rpc), /^(Get|List|Export)/.test(rpc.name)]);
  }
});

test("no read has a token in its message, which would stand in a URL", () => {
  const secret = /token|secret|password/;
  const told = rpcs.filter(isRead).flatMap(({ input }) => input.fields.map(({ name }) => name));
  expect(told.filter((name) => secret.test(name) && name !== "page_token")).toEqual([]);
});

describe("reads of earlier releases", () => {
  test.each(releasedVersions())("an rpc that release %s served by GET is still served by GET", (version) => {
    const bytes = readFileSync(`${releasesFolder}/${version}/proto.binpb`);
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
    const released = [...registry].flatMap((type) => (type.kind === "service" ? type.methods : []));
    expect(released.length).toBeGreaterThan(0);
    const promised = released.filter(isRead).map(nameOf);
    expect(promised.filter((name) => !reads.includes(name))).toEqual([]);
  });
});
