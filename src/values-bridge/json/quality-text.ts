// Quality as JSON text.
import { type Quality, QualitySchema } from "../../gen/assessment/v1/quality_pb.ts";
import { messageToJson } from "../../http/message-json.ts";
import { pairs } from "./schemas.ts";

/** The block as JSON text. */
export function qualityText(quality: Quality): string {
  return JSON.stringify(messageToJson(QualitySchema, quality, pairs));
}
