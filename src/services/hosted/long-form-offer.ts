// After a session of the short form: the last page offers the other statements, in a session that continues it.
import { inForm } from "../../domain/assessments/published-assessment.ts";
import type { Branding } from "../../domain/hosted/branding.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import type { Needs } from "../dependencies.ts";
import { type TestClockDeps, withSessionClock } from "../sandbox/test-clock.ts";
import { continuationViolations } from "../sessions/continuation.ts";
import { type CreateSessionDeps, startSession } from "../sessions/create-session.ts";
import { getSession, type SessionRef, type SessionWithAssessment } from "../sessions/sessions.ts";
import { addSessionLink } from "./session-links.ts";

/** How many further statements the last page offers, as far as that is known before the end; 0: it offers none. */
export async function countFurtherStatements(
  { catalogue }: Needs<"catalogue">,
  { session, assessment }: SessionWithAssessment,
  { offerLongForm }: Branding,
): Promise<number> {
  if (!offerLongForm || session.groupId !== null) return 0;
  if (continuationViolations({ session, assessment }).some(({ code }) => code !== "not_completed")) return 0;
  const { questions } = await catalogue.getById(inForm(assessment.id, "long"));
  return questions.length - assessment.questions.length;
}

/** A token for the one session with the further statements. Throws `not_found`: none are offered; `conflict`, `hosted_off`. */
export async function continueHostedSession(
  deps: CreateSessionDeps & TestClockDeps & Needs<"brandings">,
  ref: SessionRef,
  chosenLanguage: string | undefined,
  { signal, at }: Deadline,
): Promise<string> {
  const call = { partnerId: ref.partnerId, signal, at };
  const { session, assessment } = await getSession(deps, ref, call);
  const { id, completedAt, externalId, redirectUrl, personAccess, locale } = session;
  const branding = await deps.brandings.findBranding(ref.partnerId, signal);
  const furtherStatements = await countFurtherStatements(deps, { session, assessment }, branding);
  if (completedAt === null || furtherStatements === 0) throw notFound();
  const key = `continue.${id}`;
  const draft = {
    assessment: await deps.catalogue.getById(inForm(assessment.id, "long")),
    mode: "hosted",
    externalId,
    redirectUrl,
    locale: chosenLanguage ?? locale,
    personAccess,
    shortSession: { session, assessment },
    // Pressed again, the button may ask for another language.
    idempotency: { key, requestHash: hashSecret(key) },
  } as const;
  const sessionDeps = await withSessionClock(deps, call);
  const { session: longSession } = await startSession(sessionDeps, draft, call);
  return (await addSessionLink(sessionDeps, longSession, undefined, call)).token;
}
