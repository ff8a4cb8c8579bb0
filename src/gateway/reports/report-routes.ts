// The routes of reports: one address, and the request says in which form.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RenderTeamReportRequestSchema } from "../../gen/assessment/v1/group_service_pb.ts";
import {
  CreateReportLinkRequestSchema,
  CreateReportLinkResponseSchema,
  type RenderReportRequestSchema,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { invalidRequest } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { reportLinkViolations } from "../../kernel/requests/report-request.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { groupOf, productOf, sessionOf, subjectOf } from "../shared/path-params.ts";
import { textOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import { formAsked, knownWord, sendRendered } from "./rendered-report.ts";
import { pictures } from "./report-schemas.ts";

const linkJson = toJson(CreateReportLinkResponseSchema);
const linkBody = new BodyReader(CreateReportLinkRequestSchema);

const pictureNames = byWord(ReportPictureName);

type Session = Pick<MessageInitShape<typeof RenderReportRequestSchema>, "product" | "session">;

/** Adds the routes of reports. */
export function addReportRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getSessionReport, getSubjectReport, getTeamReport, createReportLink, revokeReportLinks } = operations;

  addRoute(app, getSessionReport, (request, reply) =>
    serve(request, reply, () => {
      const { product, sessionId } = sessionOf(request);
      return { product, session: { case: "sessionId", value: sessionId } };
    }),
  );

  addRoute(app, getSubjectReport, (request, reply) =>
    serve(request, reply, () => {
      const { product, externalId } = subjectOf(request);
      return { product, session: { case: "externalId", value: externalId } };
    }),
  );

  addRoute(app, getTeamReport, async (request, reply) => {
    const read = (): MessageInitShape<typeof RenderTeamReportRequestSchema> => ({
      product: productOf(request),
      ...groupOf(request),
      ...formAsked(request),
    });
    return sendRendered(request, reply, await client.call(getTeamReport.rpc, request, reply, read));
  });

  addRoute(app, createReportLink, async (request, reply) => {
    const created = await client.call(createReportLink.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const body = await linkBody.readOptional(request, limits, client.budget);
      const { expiresInSeconds, locale, name, date } = body ?? {};
      const violations = reportLinkViolations({ expiresInSeconds, locale, name, date });
      if (violations.length > 0) throw invalidRequest(violations);
      return { ...address, ...body };
    });
    reply.code(201).header("cache-control", "no-store");
    return linkJson(created);
  });

  addRoute(app, revokeReportLinks, async (request, reply) => {
    await client.call(revokeReportLinks.rpc, request, reply, () => sessionOf(request));
    return reply.code(204).send();
  });

  async function serve(request: FastifyRequest, reply: FastifyReply, sessionIn: () => Session): Promise<FastifyReply> {
    const rendered = await client.call(getSessionReport.rpc, request, reply, () => {
      const session = sessionIn();
      const form = formAsked(request, { name: textOf(request, "name"), date: textOf(request, "date") });
      const picture = pictureNames[knownWord(pictures, request, "picture") ?? "circle"];
      return { ...session, ...form, picture };
    });
    return sendRendered(request, reply, rendered);
  }
}
