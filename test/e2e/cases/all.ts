// Every case of the contract.
import { accessCases } from "./access.ts";
import { assessmentCases } from "./assessments.ts";
import { auditCases } from "./audit.ts";
import { eventCases } from "./events.ts";
import { groupCases } from "./groups.ts";
import { joinCodeCases } from "./join-codes.ts";
import { exportCases } from "./people/exports.ts";
import { normCases } from "./people/norms.ts";
import { reportLinkCases } from "./people/report-links.ts";
import { reportCases } from "./people/reports.ts";
import { subjectExportCases } from "./people/subject-exports.ts";
import { subjectCases } from "./people/subjects.ts";
import { refusalCases } from "./refusals.ts";
import { sandboxCases } from "./sandbox.ts";
import { answerCases } from "./sessions/answers.ts";
import { continuationCases } from "./sessions/continuations.ts";
import { createCases } from "./sessions/create.ts";
import { explanationCases } from "./sessions/explanation.ts";
import { formCases } from "./sessions/forms.ts";
import { idempotencyCases } from "./sessions/idempotency.ts";
import { languageCases } from "./sessions/languages.ts";
import { lifecycleCases } from "./sessions/lifecycle.ts";
import { sessionLinkCases } from "./sessions/links.ts";
import { progressCases } from "./sessions/progress.ts";
import { changeCases, qualityCases } from "./sessions/quality.ts";
import { retentionCases } from "./sessions/retention.ts";
import { sessionListCases } from "./sessions/session-lists.ts";
import { webhookStateCases } from "./webhook-states.ts";
import { webhookCases } from "./webhooks.ts";

/** In this order over every transport. */
export const allCases = [
  createCases,
  idempotencyCases,
  languageCases,
  answerCases,
  explanationCases,
  formCases,
  continuationCases,
  qualityCases,
  changeCases,
  normCases,
  subjectCases,
  sessionListCases,
  lifecycleCases,
  sessionLinkCases,
  progressCases,
  reportCases,
  reportLinkCases,
  assessmentCases,
  eventCases,
  webhookCases,
  webhookStateCases,
  auditCases,
  groupCases,
  joinCodeCases,
  exportCases,
  subjectExportCases,
  sandboxCases,
  retentionCases,
  accessCases,
  refusalCases,
].flatMap((cases) => Object.entries(cases));
