// ExportService: pages of exports, and the codebook of their columns.
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import type { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import { toAssessmentForm } from "../assessments/assessment-service.ts";
import type { CallDependencies } from "../dependencies.ts";
import { getStoredGroup } from "../groups/groups.ts";
import { exportSessions } from "./export-sessions.ts";
import { exportSubject } from "./export-subject.ts";

/** The implementation of ExportService. */
export function createExportService(deps: CallDependencies): ServiceImpl<typeof ExportService> {
  return {
    exportSessions: (request, call) => exportSessions(deps, request, call),

    async exportSubject(request, call) {
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
      const columns = assessment.listCodebookColumns().map((column) => ({ ...column, values: column.values ?? [] }));
      return { product, version: assessment.version, form: assessment.form, columns };
    },
  };
}
