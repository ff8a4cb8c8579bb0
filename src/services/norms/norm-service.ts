// NormService: messages in, use cases of the domain, messages out.
import { getNorms, type ReleasedNormsDeps } from "../../domain/norms/released-norms.ts";
import { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { type Handlers, implement, principalOf } from "../../pipeline/implementation.ts";
import { toLanguageNormsMessage } from "./norm-messages.ts";

/** The implementation of NormService. */
export function normService(deps: ReleasedNormsDeps): Handlers {
  return implement(NormService, {
    async getNorms({ product, language, version }, call) {
      const { partnerId } = principalOf(call);
      return toLanguageNormsMessage(await getNorms(deps, { partnerId, product, language, version }, call.deadline));
    },
  });
}
