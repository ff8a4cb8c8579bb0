// What a question says of its value, in the JSON of the interface.
import { LifeContext, type ValuesBridgeConfig } from "../../gen/assessment/v1/assessment_pb.ts";

const lifeContexts: Readonly<Record<number, string>> = {
  [LifeContext.IDEAL]: "ideal",
  [LifeContext.CURRENT]: "current",
};

/** What a question says of the value that it asks for. */
export function toValuesBridgeConfig(config: ValuesBridgeConfig) {
  const { valueId, valueName, lifeContext, inverse, omegaWeight } = config;
  return { valueId, valueName, lifeContext: lifeContexts[lifeContext], inverse, omegaWeight };
}
