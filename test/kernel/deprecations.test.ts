// What the protos say of rpcs on their way out: one option that has to agree with itself, and that releases keep.
import { createRegistry, type Registry } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { createDeprecationHeaders, readDeprecation } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import { brokenOptions, deprecationFaults } from "../../tools/releases/held-options.ts";
import { changedProtos } from "../support/processes/changed-protos.ts";

const stated = (since: string, sunset: string, instead = "Use another one.") =>
  `option (deprecation) = { since: "${since}" sunset: "${sunset}" instead: "${instead}" };`;
const standard = "option deprecated = true;";
const good = `${standard} ${stated("2026-11-22", "2027-11-22")}`;

/** The protos, with options added to rpcs. */
function protosWith(optionsOf: Readonly<Record<string, string>>): Promise<Registry> {
  const change = (text: string) =>
    text.replaceAll(/rpc (\w+)\([^{]*\{/g, (start, rpc: string) => `${start} ${optionsOf[rpc] ?? ""}`);
  return changedProtos("session_service.proto", change).build();
}

const later = `${standard} ${stated("2026-11-22", "2028-01-01")}`;

test("the deprecation of an rpc is read from its option, for every response", async () => {
  const protos = await protosWith({ GetSession: good });
  const method = protos.getService("assessment.v1.SessionService")?.method.getSession;
  if (method === undefined) throw new Error("there is no such rpc");
  expect(readDeprecation(method)).toEqual({
    since: new Date("2026-11-22T00:00:00Z"),
    sunset: new Date("2027-11-22T00:00:00Z"),
    instead: "Use another one.",
  });
  const headers = createDeprecationHeaders(method, () => "https://pas.example")?.();
  expect(headers).toEqual({
    deprecation: "@1795305600",
    sunset: "Mon, 22 Nov 2027 00:00:00 GMT",
    link: [
      '<https://pas.example/docs/deprecation>; rel="deprecation"; type="text/html"',
      '<https://pas.example/docs/deprecation>; rel="sunset"; type="text/html"',
    ].join(", "),
  });
});

const faults: Readonly<Record<string, readonly [options: string, told: RegExp]>> = {
  GetSession: [stated("2026-11-22", "2027-11-22"), /both options/],
  ListSessions: [standard, /both options/],
  RecordAnswers: [`${standard} ${stated("2026-11-22", "2027-11-21")}`, /12 months/],
  CompleteSession: [`${standard} ${stated("2026-02-30", "2027-11-22")}`, /as days/],
  CancelSession: [`${standard} ${stated("22 Nov 2026", "2027-11-22")}`, /as days/],
  ReopenSession: [`${standard} ${stated("2026-11-22", "2027-11-22", "")}`, /use instead/],
};

test("a deprecation is refused that some are not told of, that gives too little time, no day, or nothing instead", async () => {
  const options = Object.entries(faults).map(([rpc, [option]]) => [rpc, option]);
  const lines = deprecationFaults(await protosWith(Object.fromEntries(options)));
  expect(lines).toHaveLength(options.length);
  for (const [rpc, [, fault]] of Object.entries(faults)) {
    expect(lines.find((line) => line.includes(`/${rpc} `))).toMatch(fault);
  }
});

test("every deprecation of this release is consistent, and so is a good one, whose sunset moves later only", async () => {
  expect(deprecationFaults(createRegistry(...services))).toEqual([]);
  const [released, moved] = [await protosWith({ GetSession: good }), await protosWith({ GetSession: later })];
  expect(deprecationFaults(released)).toEqual([]);
  expect(brokenOptions(released, moved)).toEqual([]);
  expect(brokenOptions(moved, released)).toEqual([
    "assessment.v1.SessionService/GetSession has its sunset on 2027-11-22, and 2028-01-01 was promised",
  ]);
});
