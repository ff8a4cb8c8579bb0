// What a question says of its value, in the JSON of the interface.
import { LifeContextSchema, type ValuesBridgeConfig } from "../../../gen/assessment/v1/assessment_pb.ts";
import { enumWord } from "../../../transport/http/bodies/message-json.ts";

/** What a question says of the value that it asks for. */
export function toValuesBridgeConfig(config: ValuesBridgeConfig) {
  const { valueId, valueName, lifeContext, inverse, omegaWeight } = config;
  return { valueId, valueName, lifeContext: enumWord(LifeContextSchema, lifeContext), inverse, omegaWeight };
}
