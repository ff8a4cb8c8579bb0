// Results as a message, and as stored bytes.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ValuesBridgeResultsSchema } from "../../../gen/assessment/v1/results_pb.ts";
import { createJsonWriter, fromModel } from "../../../json/messages.ts";
import type { Results } from "../scoring/shapes.ts";

export const toResultsMessage = fromModel(ValuesBridgeResultsSchema);
const toResults = createJsonWriter(ValuesBridgeResultsSchema);

export function encodeResults(results: Results): Uint8Array {
  return toBinary(ValuesBridgeResultsSchema, toResultsMessage(results));
}

/** Throws for other bytes. */
export function decodeResults(bytes: Uint8Array): Results {
  const message = fromBinary(ValuesBridgeResultsSchema, bytes);
  if (message.overall === undefined) throw new RangeError("these bytes are no results");
  // JSON has the names of Results, and null for absent numbers.
  return toResults(message) as unknown as Results;
}
