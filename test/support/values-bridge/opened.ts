// The product as tests open versions of it.
import type { StoredAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { openAssessment, type PublishedAssessment } from "../../../src/domain/assessments/published-assessment.ts";
import { createValuesBridge } from "../../../src/products/values-bridge/values-bridge.ts";

export const valuesBridge = createValuesBridge();

/** Opens a stored version. */
export function openStored(stored: StoredAssessment): PublishedAssessment {
  return openAssessment(valuesBridge, stored);
}
