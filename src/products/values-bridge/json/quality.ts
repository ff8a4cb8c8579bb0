// Quality as JSON of the interface.
import { type Quality, QualitySchema } from "../../../gen/assessment/v1/quality_pb.ts";
import { messageToJson } from "../../../transport/http/bodies/message-json.ts";
import { pairs } from "./schemas.ts";

/** The block as JSON. */
export function toQuality(quality: Quality): unknown {
  return messageToJson(QualitySchema, quality, pairs);
}
