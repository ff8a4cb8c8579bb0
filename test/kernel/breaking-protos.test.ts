// Protos that break what a release promised are refused by the check that every change passes.
import { expect, test } from "vitest";
import { changedProtos } from "../support/processes/changed-protos.ts";

const file = "session_service.proto";

test("additions to the protos are not breaking", async () => {
  const added = (text: string) => `${text}\nmessage NeverSeenBefore {}\n`;
  expect(await changedProtos(file, added).breaking()).toBe("");
});

test.each<[fault: string, change: (text: string) => string, told: RegExp]>([
  ["a renamed rpc", (text) => text.replace("rpc GetSession(", "rpc FetchSession("), /"GetSession".*deleted/],
  ["a removed rpc", (text) => text.replace(/ {2}rpc GetSession\([\s\S]*?\n {2}\}\n/, ""), /"GetSession".*deleted/],
  [
    "a renamed service",
    (text) => text.replace("service SessionService", "service Sessions"),
    /SessionService.*deleted/,
  ],
  ["a field of another name", (text) => text.replace("string session_id = 1", "string id = 1"), /"session_id"/],
])("a breaking change is refused: %s", async (_fault, change, told) => {
  expect(await changedProtos(file, change).breaking()).toMatch(told);
});
