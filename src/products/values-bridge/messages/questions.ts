// What a question says of the value that it asks for, as a message.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { LifeContext, type ValuesBridgeConfigSchema } from "../../../gen/assessment/v1/assessment_pb.ts";
import { byWord } from "../../../kernel/json/members.ts";
import type { ValuesBridgeConfig } from "../definition/questions.ts";

/** Life contexts in messages. */
export const lifeContexts = byWord(LifeContext);

/** The configuration of a question as a message. */
export function toValuesBridgeConfig(config: ValuesBridgeConfig): MessageInitShape<typeof ValuesBridgeConfigSchema> {
  return { ...config, lifeContext: lifeContexts[config.lifeContext] };
}
