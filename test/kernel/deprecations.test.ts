// What the protos say of rpcs on their way out: one option that has to agree with itself, and that releases keep.
import { createRegistry, type Registry } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { deprecatedRpcs, deprecationHeaders, deprecationOf } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/process/core.ts";
import { brokenOptions, deprecationFaults } from "../../tools/releases/held-options.ts";
import { changedProtos } from "../support/processes/changed-protos.ts";

const stated = (since: string, sunset: string, instead = "Use another one.") =>
  `option (deprecation) = { since: "${since}" sunset: "${sunset}" instead: "${instead}" };`;
const standard = "option deprecated = true;";
const good = `${standard} ${stated("2026-11-22", "2027-11-22")}`;

/** The protos, with these options added to GetSession. */
function protosWith(options: string): Promise<Registry> {
  const change = (text: string) => text.replace(/(rpc GetSession\([^{]*\{)/, `$1 ${options}`);
  return changedProtos("session_service.proto", change).build();
}

async function methodWith(options: string) {
  const method = (await protosWith(options)).getService("assessment.v1.SessionService")?.method.getSession;
  if (method === undefined) throw new Error("there is no such rpc");
  return method;
}

test("the deprecation of an rpc is read from its option, for metrics and for every response", async () => {
  const method = await methodWith(good);
  expect(deprecationOf(method)).toEqual({
    since: new Date("2026-11-22T00:00:00Z"),
    sunset: new Date("2027-11-22T00:00:00Z"),
    instead: "Use another one.",
  });
  expect(deprecatedRpcs([method, SessionService.method.createSession])).toEqual(new Set(["SessionService/GetSession"]));
  const headers = deprecationHeaders(method, () => "https://pas.example")?.();
  expect(headers).toEqual({
    deprecation: "@1795305600",
    sunset: "Mon, 22 Nov 2027 00:00:00 GMT",
    link: [
      '<https://pas.example/docs/deprecation>; rel="deprecation"; type="text/html"',
      '<https://pas.example/docs/deprecation>; rel="sunset"; type="text/html"',
    ].join(", "),
  });
});

test.each([
  ["generated clients would not be told", stated("2026-11-22", "2027-11-22"), /both options/],
  ["nobody but generated clients would be told", standard, /both options/],
  ["there is too little time to leave", `${standard} ${stated("2026-11-22", "2027-11-21")}`, /12 months/],
  ["a day is none", `${standard} ${stated("2026-02-30", "2027-11-22")}`, /as days/],
  ["a day is written otherwise", `${standard} ${stated("22 Nov 2026", "2027-11-22")}`, /as days/],
  ["nothing is there instead", `${standard} ${stated("2026-11-22", "2027-11-22", "")}`, /use instead/],
])("a deprecation is refused if %s", async (_what, options, told) => {
  expect(deprecationFaults(await protosWith(options))).toEqual([expect.stringMatching(told)]);
});

test("a sunset that a release announced moves later only", async () => {
  const released = await protosWith(good);
  const later = await protosWith(`${standard} ${stated("2026-11-22", "2028-01-01")}`);
  expect(brokenOptions(released, later)).toEqual([]);
  expect(brokenOptions(later, released)).toEqual([
    "assessment.v1.SessionService/GetSession has its sunset on 2027-11-22, and 2028-01-01 was promised",
  ]);
});

test("every deprecation of this release is consistent, and so is a good one", async () => {
  expect(deprecationFaults(createRegistry(...services))).toEqual([]);
  expect(deprecationFaults(await protosWith(good))).toEqual([]);
});
