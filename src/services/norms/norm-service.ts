// NormService: messages in, use cases of the domain, messages out.
import type { ServiceImpl } from "@connectrpc/connect";
import { getNorms, type ReleasedNormsDeps } from "../../domain/norms/released-norms.ts";
import type { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { deadlineOf, principalOf } from "../../pipeline/context-values.ts";
import { toLanguageNormsMessage } from "./norm-messages.ts";

/** The implementation of NormService. */
export function normService(deps: ReleasedNormsDeps): ServiceImpl<typeof NormService> {
  return {
    async getNorms({ product, language, version }, context) {
      const { partnerId } = principalOf(context);
      return toLanguageNormsMessage(
        await getNorms(deps, { partnerId, product, language, version }, deadlineOf(context)),
        deps.catalogue.product.messages,
      );
    },
  };
}
