// Times in requests: binary messages carry some that no `Date` holds, and that a row would hold as 0000-00-00.

import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { BadRequestSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { services } from "../../src/kernel/services.ts";
import { addCaller } from "../support/app.ts";
import { countOf } from "../support/databases/stores.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { bearer, refusal } from "../support/transports/grpc-client.ts";

const app = await appOfFile();
const { token } = await addCaller(app);
const grpc = clientOfFile(app);

const isTime = (type: DescMessage | undefined) => type?.typeName === TimestampSchema.typeName;

/** Whether messages of the type have a time at any depth. */
function hasTime(type: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return isTime(type) || type.fields.some(({ message }) => message !== undefined && hasTime(message, seen));
}

const methods = services.flatMap((service) => service.methods);
const times = methods.flatMap((method) =>
  method.input.fields.filter(({ message }) => isTime(message)).map((field) => ({ method, field })),
);

test("every time in a request is a field of the request itself", () => {
  const inner = methods.flatMap(({ input }) => input.fields.filter(({ message }) => !isTime(message)));
  const deeper = inner.filter(
    ({ message, fieldKind }) => message !== undefined && fieldKind !== "map" && hasTime(message),
  );
  expect(deeper.map(String)).toEqual([]);
  expect(times.length).toBeGreaterThan(10);
});

const year10000 = 253_402_300_800n;

test.each(times.map(({ method, field }) => [`${method.name} ${field.name}`, method, field] as const))(
  "%s refuses a time that no row can hold, over gRPC and Connect",
  async (_name, method, field) => {
    for (const time of [{ seconds: 10n ** 15n }, { seconds: year10000 }, { seconds: -1n }]) {
      const message = { [field.localName]: create(TimestampSchema, time) };
      const bytes = toBinary(method.input, create(method.input, message));
      const error = await refusal(grpc.bytes(method as never, bytes, bearer(token)));
      const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations;
      expect(violations).toContainEqual(expect.objectContaining({ field: field.name, reason: "OUT_OF_RANGE" }));
      const response = await fetch(`${app.httpUrl}/${method.parent.typeName}/${method.name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/proto" },
        body: new Uint8Array(bytes),
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("OUT_OF_RANGE")]);
    }
    expect(await countOf(app.database.connection, "SELECT COUNT(*) FROM sessions")).toBe(0);
  },
);
