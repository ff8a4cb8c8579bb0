// NormService: norms in one language, of the partner's own people and of all partners, or the reason why there are none.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type GetNormsRequest,
  type GetNormsResponseSchema,
  type NormService,
  WithheldReason,
} from "../../gen/assessment/v1/norm_service_pb.ts";
import { TranslationState } from "../../gen/assessment/v1/quality_pb.ts";
import { byWord } from "../../json/members.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { type PartnerCall, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { stateIn } from "../../products/product.ts";
import { askedForm } from "../assessments/assessment-service.ts";
import { findOwnNorms, findPooledNorms, type NormsDeps, unknownLanguage } from "./norms.ts";

const translationStates = byWord(TranslationState);
const forms = byWord(AssessmentForm);

/** The implementation of NormService. */
export function normService(deps: NormsDeps): ServiceImpl<typeof NormService> {
  return {
    getNorms: (request, call) => getNorms(deps, request, call, principalOf(call).scopes.has("results:read")),
  };
}

/**
 * Norms of one form in one language. Throws `not_found` (product, version), and `invalid_request` for a language without
 * statements, and for a form that the version does not have.
 * @param maySeeOwn whether the caller may see individuals, and so what exact numbers reveal about them
 */
export async function getNorms(
  deps: NormsDeps,
  { product, language = unknownLanguage, version, form }: Omit<GetNormsRequest, "$typeName">,
  call: PartnerCall,
  maySeeOwn: boolean,
): Promise<MessageInitShape<typeof GetNormsResponseSchema>> {
  const { catalogue } = deps;
  const { messages } = catalogue.product;
  const published = await catalogue.published(product);
  const ofVersion = version === undefined ? published : await catalogue.byVersion(product, version, call);
  const assessment = await catalogue.inForm(ofVersion, askedForm(form));
  const languages = [unknownLanguage, ...assessment.wordings.map((each) => each.language)];
  if (!languages.includes(language)) {
    const detail = `The version has statements in these languages: ${languages.slice(1).join(", ")}; \`und\` is not known.`;
    throw invalidRequest([{ path: ["language"], code: "unknown_value", detail }]);
  }
  const place = { assessmentId: assessment.id, partnerId: call.partnerId, shownLanguage: language };
  const sessions = maySeeOwn ? await findOwnNorms(deps, place, "sessions", call) : null;
  const retests = maySeeOwn ? await findOwnNorms(deps, place, "retests", call) : null;
  const withheld = maySeeOwn ? WithheldReason.TOO_FEW : WithheldReason.NOT_PERMITTED;
  const pooled = await findPooledNorms(deps, assessment, language, call);
  const translationState = stateIn(assessment.wordings, language);
  return {
    product: assessment.product,
    version: assessment.version,
    form: forms[assessment.form],
    language,
    ...(translationState && { translationState: translationStates[translationState] }),
    partner: {
      ...(sessions ? { norms: messages.norms(sessions.about, sessions.numbers) } : { reason: withheld }),
      ...(retests ? { retest: messages.retestNorms(retests.about, retests.numbers) } : { retestReason: withheld }),
    },
    pooled: pooled
      ? { release: messages.pooledNorms(pooled.about, pooled.numbers) }
      : { reason: WithheldReason.WAITING },
  };
}
