// Every rpc is an operation of REST or known not to be one, states its scope, and says if it only reads (idempotency_level).
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { isScope } from "../../src/domain/identity/scopes.ts";
import { operations } from "../../src/gateway/rest/operations.ts";
import { isBrowserScope } from "../../src/kernel/calls/core.ts";
import { readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import schema from "../../src/products/values-bridge/definition/definition.schema.json" with { type: "json" };

/** Rpcs that are no operation of REST, and why. */
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
  exchangeReportLink: "for hosted pages",
  renderOwnReport: "for hosted pages",
  setOwnIntention: "for hosted pages",
  shareOwnCard: "for hosted pages",
  openCard: "for hosted pages",
  exchangeLink: "for hosted pages",
  openJoinCode: "for hosted pages",
  joinGroup: "for hosted pages",
  getHostedSession: "for hosted pages",
  saveHostedAnswers: "for hosted pages",
  finishHostedSession: "for hosted pages",
  continueHostedSession: "for hosted pages",
  openOwnReport: "for hosted pages",
  issueToken: "by hand, with the forms of OAuth",
  revokeToken: "by hand, with the forms of OAuth",
  introspect: "by hand, with the forms of OAuth",
  getPublicKeys: "by hand, with the forms of OAuth",
};

const routed = new Set(operations.map(({ rpc }) => rpc.localName));

test("every rpc is an operation of REST, or is listed with the reason why not", () => {
  const names = services.flatMap((service) => service.methods.map((method) => method.localName));
  expect(names.filter((name) => !routed.has(name) && !(name in withoutRoute))).toEqual([]);
  expect(Object.keys(withoutRoute).filter((name) => routed.has(name) || !names.includes(name))).toEqual([]);
});

test("no product can have the name of another path segment", () => {
  const words = operations.map(({ url }) => url.split("/")[2] ?? "");
  const reserved = new Set(words.filter((word) => !word.startsWith(":")));
  expect([...reserved].filter((word) => new RegExp(schema.properties.product.pattern).test(word))).toEqual([]);
  expect(reserved.size).toBeGreaterThan(3);
});

test("every rpc states a scope that exists, or that it is for browser sessions, or that it needs no token", () => {
  const scopes = services.flatMap((service) => service.methods.map(readRequiredScope));
  expect(scopes.filter((scope) => scope !== "none" && !isBrowserScope(scope) && !isScope(scope))).toEqual([]);
});

const rpcs = services.flatMap(({ methods }) => methods);
const isRead = ({ idempotency }: DescMethod) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
const nameOf = ({ parent, name }: DescMethod) => `${parent.typeName}/${name}`;

test("an rpc is a read exactly if REST serves it by GET", () => {
  for (const { method, rpc } of operations) {
    expect([nameOf(rpc), isRead(rpc)]).toEqual([nameOf(rpc), method === "GET"]);
  }
});

test("an rpc without a route is a read if its name says so", () => {
  const routedRpcs = new Set<DescMethod>(operations.map(({ rpc }) => rpc));
  for (const rpc of rpcs.filter((each) => !routedRpcs.has(each) && !isBrowserScope(readRequiredScope(each)))) {
    expect([nameOf(rpc), isRead(rpc)]).toEqual([nameOf(rpc), /^(Get|List|Export)/.test(rpc.name)]);
  }
});

test("no read has a token in its message, which would stand in a URL", () => {
  const secret = /token|secret|password/;
  const told = rpcs.filter(isRead).flatMap(({ input }) => input.fields.map(({ name }) => name));
  expect(told.filter((name) => secret.test(name) && name !== "page_token")).toEqual([]);
});
