// AssessmentService: reads, publishes and lists versions.
import { isDeepStrictEqual } from "node:util";
import type { AssessmentForm, PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { retryUntilStored } from "../../domain/concurrent-writes.ts";
import { AssessmentForm as FormMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import type { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { invalidFieldError, invalidRequestError, notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { Definition } from "../../products/product.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";

/** The implementation of AssessmentService. */
export function createAssessmentService(deps: CallDependencies): ServiceImpl<typeof AssessmentService> {
  const { catalogue } = deps;
  return {
    async getPublishedAssessment({ product, version, locale, form }, call) {
      throwIfInvalid(findLocaleViolations(locale));
      const assessment = await catalogue.getVersion(product, version, toAssessmentForm(form), call);
      return { assessment: catalogue.toMessage(assessment, [locale]).assessment };
    },

    async publishAssessment({ definition }, call) {
      const { assessment, created } = await publishAssessment(deps, definition, call);
      const { product, id, version } = assessment;
      return { product, assessmentId: id, version, created };
    },

    async listAssessmentVersions({ product }, call) {
      const assessments = await deps.assessments.listAssessments(product, call.signal);
      if (assessments.length === 0) throw notFoundError();
      const versions = assessments.map(({ id, version, definition, publishedAt }) => ({
        assessmentId: id,
        version,
        questionCount: catalogue.product.countQuestions(definition),
        publishedAt,
      }));
      return { versions };
    },
  };
}

/** The form that a request asks for; the long one unless stated. */
export function toAssessmentForm(form: FormMessage): AssessmentForm {
  return form === FormMessage.SHORT ? "short" : "long";
}

/**
 * Makes a definition the published version of its product. A definition equal to the latest version changes nothing.
 * @param text the definition as JSON
 * Throws `invalid_request` with one violation for each fault of the definition, and `conflict`.
 */
export async function publishAssessment(
  deps: Dependencies,
  text: string,
  deadline: Deadline,
): Promise<{ assessment: PublishedAssessment; created: boolean }> {
  const parsedDefinition = await deps.catalogue.product.parse(parseJson(text));
  if ("faults" in parsedDefinition) {
    throw invalidRequestError(
      parsedDefinition.faults.map(({ pointer, message }) => ({
        path: ["definition"],
        code: "invalid_definition",
        detail: `${pointer}: ${message}`,
      })),
    );
  }
  return publishDefinition(deps, parsedDefinition.definition, deadline);
}

/** Publishes the definition of this release if nothing is published. @returns whether it was */
export async function publishShipped(deps: Dependencies, definition: Definition, deadline: Deadline): Promise<boolean> {
  const latestId = await deps.assessments.findLatestAssessmentId(definition.product, deadline.signal);
  return latestId === undefined && (await publishDefinition(deps, definition, deadline)).created;
}

function publishDefinition(deps: Dependencies, definition: Definition, deadline: Deadline) {
  const { assessments, catalogue, clock } = deps;
  const { product } = definition;
  const { signal } = deadline;
  return retryUntilStored(deps, deadline, async () => {
    const latestId = await assessments.findLatestAssessmentId(product, signal);
    const latest = latestId === undefined ? undefined : await assessments.findAssessment(latestId, signal);
    if (latest !== undefined && isDeepStrictEqual(latest.definition, definition)) {
      return { assessment: await catalogue.getById(latest.id), created: false };
    }
    const id = (await assessments.findGreatestAssessmentId(signal)) + 1;
    const version = (latest?.version ?? 0) + 1;
    const assessment = { id, product, version, definition, publishedAt: new Date(clock()) };
    // Not inserted if another version was published since.
    if (!(await assessments.insertAssessment(assessment, signal))) return undefined;
    catalogue.forgetLatest(product);
    return { assessment: await catalogue.getById(id), created: true };
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidFieldError(["definition"], "not_json", "The definition is not JSON.");
  }
}
