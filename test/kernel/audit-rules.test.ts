// The actions of the audit log: every rpc states its own, or that it has none.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operatorActions, readAuditRule } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";

const methods = services.flatMap((service) => service.methods);
test("the page of the audit log names every action", () => {
  const page = readFileSync("docs/audit.md", "utf8");
  const actions = [...methods.flatMap((method) => readAuditRule(method)?.action ?? []), ...operatorActions];
  const isNamed = (name: string) => page.includes(`\`${name}\``) || page.includes(`\`${name.split(".")[0]}.…\``);
  expect(actions.length).toBeGreaterThan(30);
  expect(actions.filter((action) => !isNamed(action))).toEqual([]);
});
