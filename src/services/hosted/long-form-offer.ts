// After a session of the short form: the last page offers the other statements, in a session that continues it.
import { toFormId } from "../../domain/assessments/published-assessment.ts";
import type { Branding } from "../../domain/hosted/branding.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { HostedService } from "../../gen/assessment/v1/hosted_service_pb.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { Dependencies, Needs } from "../dependencies.ts";
import { findContinuationViolations } from "../sessions/continuation.ts";
import { startSession } from "../sessions/create-session.ts";
import { getSession, type SessionWithAssessment } from "../sessions/sessions.ts";
import { addSessionLink } from "./session-links.ts";

/** How many further statements the last page offers, as far as that is known before the end; 0: it offers none. */
export async function countFurtherStatements(
  { catalogue }: Needs<"catalogue">,
  { session, assessment }: SessionWithAssessment,
  { offerLongForm }: Branding,
): Promise<number> {
  if (!offerLongForm || session.groupId !== null) return 0;
  if (findContinuationViolations({ session, assessment }).some(({ code }) => code !== "not_completed")) return 0;
  const { questions } = await catalogue.getById(toFormId(assessment.id, "long"));
  return questions.length - assessment.questions.length;
}

export function createLongFormRpcs(deps: Dependencies) {
  return {
    /** A link to the one session with the further statements. Throws `conflict` and `hosted_off` as well. */
    async continueHostedSession({ chosenLanguage }, call) {
      throwIfInvalid(findLocaleViolations(chosenLanguage));
      const { partnerId, sessionId } = call.boundSession;
      const { session, assessment } = await getSession(deps, { partnerId, sessionId }, call);
      const { id, completedAt, externalId, redirectUrl, personAccess, locale } = session;
      const branding = await deps.brandings.findBranding(partnerId, call.signal);
      const furtherStatements = await countFurtherStatements(deps, { session, assessment }, branding);
      if (completedAt === null || furtherStatements === 0) throw notFoundError();
      const key = `continue.${id}`;
      const draft = {
        assessment: await deps.catalogue.getById(toFormId(assessment.id, "long")),
        mode: "hosted",
        externalId,
        redirectUrl,
        locale: chosenLanguage ?? locale,
        personAccess,
        shortSession: { session, assessment },
        // Pressed again, the button may ask for another language.
        idempotency: { key, requestHash: hashSecret(key) },
      } as const;
      const { session: longSession } = await startSession(deps, draft, call);
      const { token } = await addSessionLink(deps, longSession, undefined, call);
      return { linkToken: token };
    },
  } satisfies Partial<ServiceImpl<typeof HostedService>>;
}
