// ExportService: pages of exports, with a limit on concurrent pages.
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import type { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { Semaphore } from "../../limits/semaphore.ts";
import type { PipelineCall, ServiceImpl } from "../../pipeline/call.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { Dependencies, Needs } from "../dependencies.ts";
import { getStoredGroup } from "../groups/groups.ts";
import { exportSessions } from "./export-sessions.ts";
import { exportSubject } from "./export-subject.ts";

/** Pages that a process builds concurrently: few, so that other calls are not slowed down. */
export const maxExportPages = 4;

/** The slots of pages. */
export function createExportSlots(): Semaphore {
  const limits = {
    slots: maxExportPages,
    slotsPerPartner: maxExportPages / 2,
    queue: 64,
    queuePerPartner: 16,
    waitMs: 5_000,
  };
  return new Semaphore(limits, () => {
    return new Refusal("unavailable", "Too many exports are running. Continue in a second.", { retryAfterSeconds: 1 });
  });
}

/** The implementation of ExportService. */
export function createExportService(deps: Dependencies): ServiceImpl<typeof ExportService> {
  return {
    async exportSessions(request, call) {
      using _slot = await takeExportSlot(deps, call);
      return await exportSessions(deps, request, call);
    },

    async exportSubject(request, call) {
      using _slot = await takeExportSlot(deps, call);
      const page = await exportSubject(deps, request, call);
      for (const { sessionId } of page.sessions) call.auditSubjects.push({ sessionId });
      return page;
    },

    async getCodebook({ product, version, form, groupId }, call) {
      const { catalogue } = deps;
      const group = groupId === undefined ? undefined : await getStoredGroup(deps, { product, groupId }, call);
      const groupAssessment = group && (await catalogue.getById(group.assessmentId));
      const usesGroupForm =
        form === AssessmentForm.UNSPECIFIED && (version ?? groupAssessment?.version) === groupAssessment?.version;
      const assessment =
        groupAssessment && usesGroupForm
          ? groupAssessment
          : await catalogue.getVersion(product, version ?? groupAssessment?.version, toAssessmentForm(form), call);
      const columns = assessment.codebook().map((column) => ({ ...column, values: column.values ?? [] }));
      return { product, version: assessment.version, form: assessment.form, columns };
    },
  };
}

/** Waits for the slot of a page without holding that of the call. */
async function takeExportSlot({ exportSlots }: Needs<"exportSlots">, call: PipelineCall): Promise<Disposable> {
  const caller = call.limitKey;
  using slots = new DisposableStack();
  const slot = exportSlots.acquire(caller, call.signal);
  if (slot instanceof Promise) await call.runWithoutSlot(async () => slots.use(await slot));
  else slots.use(slot);
  return slots.move();
}
