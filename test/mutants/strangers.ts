// Faults in what bounds strangers, clocks and thieves.
import type { Mutant } from "./mutant.ts";

const guard = "src/transport/grpc/stream-guard.ts";
const pool = "src/transport/grpc/stream-pool.ts";
const ofStreams = { project: "mariadb", tests: ["test/transport/grpc/stream-bounds.test.ts"] } as const;
const ofOpenApi = { project: "mariadb", tests: ["test/gateway/documentation/openapi.test.ts"] } as const;
const ofDoubt = { project: "mariadb", tests: ["test/e2e/operation/database-clock.test.ts"] } as const;

export const strangerMutants: readonly Mutant[] = [
  {
    fault: "headers of a stream have no bound",
    file: guard,
    replace: "if (bytes > maxHeaderListBytes) {",
    by: "if (bytes < 0) {",
    ...ofStreams,
  },
  {
    fault: "streams of a network have no bound",
    file: pool,
    replace: 'while (this.#bytesOf(key) + cost > keyBytes && this.#cutOldest(key, "key"));',
    by: "",
    ...ofStreams,
  },
  {
    fault: "a stream never has to end for its age",
    file: pool,
    replace: 'const cancel = this.#after(maxAgeMs, () => this.#end(stream, "age"));',
    by: "const cancel = this.#after(maxAgeMs, () => undefined);",
    ...ofStreams,
  },
  {
    fault: "idle connections of a stranger have no bound",
    file: "src/kernel/calls/idle-connections.ts",
    replace: "if (idle.size <= this.#max) return;",
    by: "if (idle.size >= 0) return;",
    project: "mariadb",
    tests: ["test/security/idle-connections.test.ts"],
  },
  {
    fault: "the OpenAPI document is made for each request",
    file: "src/gateway/openapi/document-route.ts",
    replace: "sendUnchanged(reply, await open())",
    by: 'reply.type("application/json").send(await document())',
    ...ofOpenApi,
  },
  {
    fault: "known callers share the budget of strangers",
    file: "src/kernel/calls/body-budget.ts",
    replace: "if (knownAs !== undefined) return",
    by: "if (knownAs === null) return",
    project: "pure",
    tests: ["test/kernel/body-budget.test.ts"],
  },
  {
    fault: "a reading of the clock that is in doubt is followed",
    file: "src/domain/clock-guard.ts",
    replace:
      'if (doubt === undefined || (doubt.reason !== "stepped" && this.#isAccepted)) shared.follow(state.reading);',
    by: "shared.follow(state.reading);",
    ...ofDoubt,
  },
  {
    fault: "a step of the clock is no doubt",
    file: "src/domain/clock-guard.ts",
    replace: 'return { reason: "stepped", ...step };',
    by: "return undefined;",
    ...ofDoubt,
  },
  {
    fault: "the codebook says nothing of the values of a status",
    file: "src/products/values-bridge/definition/codebook.ts",
    replace: '"takes no further answers"',
    by: '""',
    project: "mariadb",
    tests: ["test/gateway/recorded-responses.test.ts"],
  },
  {
    fault: "a nested text that is absent in a body is undefined",
    file: "src/kernel/json/message-from-json.ts",
    replace: `if (field.scalar === ScalarType.STRING) return '""';`,
    by: `if (field.scalar === ScalarType.STRING) return "undefined";`,
    project: "pure",
    tests: ["test/kernel/json/message-json.test.ts"],
  },
  {
    fault: "a number that no int32 can hold is taken as it is",
    file: "src/kernel/json/message-from-json.ts",
    replace: "return Math.abs(value) > maxInt32 ? -1 : value;",
    by: "return value;",
    project: "pure",
    tests: ["test/kernel/json/message-json.test.ts"],
  },
];
