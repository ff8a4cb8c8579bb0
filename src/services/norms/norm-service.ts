// NormService: messages in, use cases of the domain, messages out.
import type { ServiceImpl } from "@connectrpc/connect";
import type { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { deadlineOf, principalOf } from "../../pipeline/call.ts";
import { toLanguageNormsMessage } from "./norm-messages.ts";
import { getNorms, type NormsDeps } from "./norms.ts";

/** The implementation of NormService. */
export function normService(deps: NormsDeps): ServiceImpl<typeof NormService> {
  return {
    async getNorms({ product, language, version }, context) {
      const { partnerId, scopes } = principalOf(context);
      const maySeeOwn = scopes.has("results:read");
      return toLanguageNormsMessage(
        await getNorms(deps, { partnerId, product, language, version, maySeeOwn }, deadlineOf(context)),
        deps.catalogue.product.messages,
      );
    },
  };
}
