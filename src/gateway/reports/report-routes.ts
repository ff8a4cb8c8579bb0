// Reports: one address, and the request says in which form.
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { ReportPictureName, ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { CoreClient } from "../rest/client.ts";
import { operationOf } from "../rest/operations.ts";
import { textOf } from "../rest/query.ts";
import { pathOf, type Serve } from "../rest/transcode.ts";
import { formAsked, knownWord, sendRendered } from "./rendered-report.ts";
import { pictures } from "./report-schemas.ts";

const pictureNames = byWord(ReportPictureName);

type ReportRequest = MessageInitShape<DescMethodUnary<typeof ReportService.method.renderReport.input>["input"]>;

/** How reports are served, by the ids of their operations. */
export function reportServes(client: CoreClient): Readonly<Record<string, Serve>> {
  const team = operationOf("getTeamReport");
  return {
    getSessionReport: personal("getSessionReport", "sessionId"),
    getSubjectReport: personal("getSubjectReport", "externalId"),
    getTeamReport: async (request, reply) => {
      const read = () => ({ ...pathOf(request, team), ...formAsked(request) });
      return sendRendered(
        request,
        reply,
        await client.call(GroupService.method.renderTeamReport, request, reply, read),
      );
    },
  };

  function personal(id: string, named: "sessionId" | "externalId"): Serve {
    const operation = operationOf(id);
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const rendered = await client.call(ReportService.method.renderReport, request, reply, (): ReportRequest => {
        const { product = "", [named]: value = "" } = pathOf(request, operation);
        const [name, date, timeZone] = ["name", "date", "timeZone"].map((member) => textOf(request, member));
        const form = formAsked(request, { name, date, timeZone });
        const picture = pictureNames[knownWord(pictures, request, "picture") ?? "circle"];
        return { product, session: { case: named, value }, ...form, picture };
      });
      return sendRendered(request, reply, rendered);
    };
  }
}
