// Every rpc has a route or is known to be for gRPC only, and every rpc states its scope.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isScope } from "../../src/domain/identity/scopes.ts";
import { operations } from "../../src/gateway/rest/operations.ts";
import { isBrowserScope } from "../../src/kernel/calls/core.ts";
import { requiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/process/core.ts";
import { RESERVED_PRODUCTS } from "../../src/products/values-bridge/definition/limits.ts";

/** Rpcs without a REST route, and why. */
const withoutRoute: Readonly<Record<string, string>> = {
  getReport: "over REST the model is the report as JSON, which RenderReport gives",
  getTeamReport: "over REST the model is the report as JSON, which RenderTeamReport gives",
  publishAssessment: "operators publish over gRPC or the command line",
  listAssessmentVersions: "for operators",
  createPartner: "for operators",
  listPartners: "for operators",
  createClient: "for operators",
  listClients: "for operators",
  getUsage: "for operators",
  createTestTwin: "for operators",
  rotateClientSecret: "for operators",
  disableClient: "for operators",
  getSessionPolicies: "for operators",
  updateSessionPolicy: "for operators",
  getBranding: "for operators",
  updateBranding: "for operators",
  listAllEvents: "for internal services",
};

/** Rpcs that a transport on the HTTP port calls: those of an operation, and others as `SomeService.method.someRpc`. */
const called = new Set([
  ...operations.map(({ rpc }) => rpc.localName),
  ...globSync("src/{transport/{http,remote-core},gateway,pages}/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/Service\.method\.(\w+)/g)].map(([, name = ""]) => name),
  ),
]);

test("every rpc has a route or is listed as gRPC only", () => {
  const names = services.flatMap((service) => service.methods.map((method) => method.localName));
  const isRouted = (name: string) => called.has(name);
  expect(names.filter((name) => !isRouted(name) && !(name in withoutRoute))).toEqual([]);
  expect(Object.keys(withoutRoute).filter((name) => isRouted(name) || !names.includes(name))).toEqual([]);
});

test("no product can have the name that something else has in its place", () => {
  const words = operations.map(({ url }) => url.split("/")[2] ?? "");
  const reserved = new Set(words.filter((word) => !word.startsWith(":")));
  expect([...RESERVED_PRODUCTS].toSorted()).toEqual([...reserved].toSorted());
});

test("every rpc states a scope that exists, or that it is for browser sessions, or that it needs no token", () => {
  const scopes = services.flatMap((service) => service.methods.map(requiredScope));
  expect(scopes.filter((scope) => scope !== "none" && !isBrowserScope(scope) && !isScope(scope))).toEqual([]);
});
