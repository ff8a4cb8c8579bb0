// Every rpc is an operation of REST or known not to be one, states its scope, and says if it only reads (idempotency_level).
import { readFileSync } from "node:fs";
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { isScope, partnerScopes } from "../../src/domain/identity/scopes.ts";
import { operations } from "../../src/gateway/rest/operations.ts";
import { isBrowserScope } from "../../src/kernel/calls/core.ts";
import { operatorActions, readAuditRule, readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import schema from "../../src/products/values-bridge/definition/definition.schema.json" with { type: "json" };

/** Over REST the model of a report is the report as JSON, which the rpc gives that renders it. */
const models = ["getReport", "getTeamReport"];

test("the operations of REST are the rpcs that clients of partners may call, but for the models of reports", () => {
  const methods = services.flatMap((service) => service.methods);
  const forPartners = methods.filter((method) => partnerScopes.some((scope) => scope === readRequiredScope(method)));
  const names = forPartners.map(({ localName }) => localName).filter((name) => !models.includes(name));
  expect(new Set(operations.map(({ rpc }) => rpc.localName))).toEqual(new Set(names));
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
  const fields = rpcs.filter(isRead).flatMap(({ input }) => input.fields.map(({ name }) => name));
  expect(fields.filter((name) => secret.test(name) && name !== "page_token")).toEqual([]);
});

test("the page of the audit log names every action", () => {
  const page = readFileSync("docs/audit.md", "utf8");
  const methods = services.flatMap((service) => service.methods);
  const actions = [...methods.flatMap((method) => readAuditRule(method)?.action ?? []), ...operatorActions];
  const isNamed = (name: string) => page.includes(`\`${name}\``) || page.includes(`\`${name.split(".")[0]}.…\``);
  expect(actions.length).toBeGreaterThan(30);
  expect(actions.filter((action) => !isNamed(action))).toEqual([]);
});
