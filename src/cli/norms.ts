// pas norms …: what norms tell, and looking after them.
import { create } from "@bufbuild/protobuf";
import { getNorms } from "../domain/norms/norms.ts";
import { rebuildNorms } from "../domain/norms/rebuild.ts";
import { GetNormsResponseSchema } from "../gen/assessment/v1/norm_service_pb.ts";
import { toJson } from "../kernel/json/message-json.ts";
import type { Domain } from "../process/core.ts";
import { toLanguageNormsMessage } from "../services/norms/norm-messages.ts";
import type { CommandContext } from "./command.ts";
import { countOnEachShard, untilDone, withDomain } from "./database.ts";
import { unlessFound } from "./faults.ts";

export interface NormOptions {
  /** Id of the partner. */
  readonly partner: string;
  readonly product: string;
  readonly language?: string;
  readonly assessmentVersion?: number;
}

/** Prints the norms of a partner's own people and of all partners, as the interface gives them. */
export async function showNorms(context: CommandContext, options: NormOptions): Promise<void> {
  const { partner: partnerId, product, language, assessmentVersion: version } = options;
  const message = await withDomain(context, async (domain, deadline) => {
    const norms = await getNorms(domain, { partnerId, product, language, version, maySeeOwn: true }, deadline);
    return toLanguageNormsMessage(norms, domain.catalogue.product.messages);
  }).catch(unlessFound("there is no such product or version; `pas assessment list` shows those that there are"));
  context.print(toJson(GetNormsResponseSchema)(create(GetNormsResponseSchema, message)));
}

/** Recomputes the sums behind norms from stored answers. */
export async function rebuild(context: CommandContext): Promise<void> {
  const rebuildAll = (domain: Domain) => countOnEachShard(domain, (onShard) => rebuildNorms(onShard, untilDone()));
  context.print(await withDomain(context, rebuildAll));
}
