// The routes of reports: one address, and the request says in which form.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import {
  CreateReportLinkRequestSchema,
  CreateReportLinkResponseSchema,
  type RenderReportRequestSchema,
  type RenderReportResponse,
  ReportFormat,
  ReportPaper,
  ReportPictureName,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { reportLinkViolations } from "../../kernel/requests/report-link.ts";
import { reportRequestViolations, unknownValue } from "../../kernel/requests/report-request.ts";
import { acceptedLanguages } from "../../transport/http/accepted-languages.ts";
import { preferredCoding } from "../../transport/http/bodies/read-body.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { sessionOf, subjectOf } from "../shared/path-params.ts";
import { textOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import { papers, pictures, type ReportFormatWord, reportFormats, reportMedia } from "./report-schemas.ts";

const linkJson = toJson(CreateReportLinkResponseSchema);
const linkBody = new BodyReader(CreateReportLinkRequestSchema);
const gzipAsync = promisify(gzip);

const formats = byWord(ReportFormat);
const pictureNames = byWord(ReportPictureName);
const paperNames = byWord(ReportPaper);

/** Formats whose bytes are packed already. */
const packed: ReadonlySet<ReportFormatWord> = new Set(["pdf", "png"]);

type Coding = "gzip" | "identity";
type Session = Pick<MessageInitShape<typeof RenderReportRequestSchema>, "product" | "session">;

/** Adds the routes of reports. */
export function addReportRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getSessionReport, getSubjectReport, createReportLink, revokeReportLinks } = operations;

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
    let coding: Coding = "identity";
    const rendered = await client.call(getSessionReport.rpc, request, reply, () => {
      const session = sessionIn();
      const format = preferredFormat(request);
      coding = packed.has(format) ? "identity" : preferredCoding(request, ["gzip", "identity"]);
      return { ...session, ...toRequest(request, format, coding) };
    });
    return send(reply, rendered, coding);
  }
}

/** What a request asks for beside the session. Throws `invalid_request`. */
function toRequest(request: FastifyRequest, format: ReportFormatWord, coding: Coding) {
  const locale = textOf(request, "locale");
  const languages = acceptedLanguages(request.headers["accept-language"]);
  const knownEntityTags = knownTags(request, coding);
  const [name, date] = [textOf(request, "name"), textOf(request, "date")];
  const violations = reportRequestViolations({ locale, languages, knownEntityTags, name, date });
  if (violations.length > 0) throw invalidRequest(violations);
  return {
    ...(locale === undefined ? {} : { locale }),
    ...(name === undefined ? {} : { name }),
    ...(date === undefined ? {} : { date }),
    languages,
    knownEntityTags,
    format: formats[format],
    picture: pictureNames[oneOf(pictures, request, "picture") ?? "circle"],
    paper: paperNames[oneOf(papers, request, "paper") ?? "a4"],
  };
}

function oneOf<T extends string>(
  words: readonly T[],
  request: FastifyRequest,
  name: "picture" | "paper",
): T | undefined {
  const given = textOf(request, name);
  const known = words.find((word) => word === given);
  if (given !== undefined && known === undefined) throw invalidRequest([unknownValue(name, words)]);
  return known;
}

/**
 * Entity tags that the caller knows, as the core gives them: each coding has a tag of its own (RFC 9110 section 8.8.3).
 */
function knownTags(request: FastifyRequest, coding: Coding): string[] {
  const { "if-none-match": condition } = request.headers;
  if (condition === undefined) return [];
  const ending = coding === "gzip" ? '-gzip"' : '"';
  const tags = condition.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.flatMap((tag) =>
    tag === "*" ? ["*"] : tag.endsWith(ending) ? [`${tag.slice(0, -ending.length)}"`] : [],
  );
}

async function send(reply: FastifyReply, rendered: RenderReportResponse, coding: Coding): Promise<FastifyReply> {
  const { mediaType, entityTag, fileName, language, notModified, body } = rendered;
  reply.headers({
    etag: coding === "gzip" ? `${entityTag.slice(0, -1)}-gzip"` : entityTag,
    "cache-control": "private, no-cache",
    "content-language": language,
    vary: "accept, accept-language, accept-encoding",
  });
  if (notModified) return reply.code(304).send();
  reply.headers({
    "content-type": mediaType === "application/json" ? "application/json; charset=utf-8" : mediaType,
    "content-disposition": `inline; filename="${fileName}"`,
    // Whoever opens it where it is served: nothing in it may run or ask.
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; frame-ancestors 'none'",
  });
  if (coding !== "gzip") return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return reply.header("content-encoding", "gzip").send(await gzipAsync(body));
}

/** What the query says, else what Accept prefers. Throws `not_acceptable`. */
export function preferredFormat(request: FastifyRequest): ReportFormatWord {
  const asked = textOf(request, "format");
  const format =
    asked === undefined ? acceptedFormat(request.headers.accept) : reportFormats.find((each) => each === asked);
  if (format !== undefined) return format;
  throw new Refusal("not_acceptable", `A report can be had as ${reportFormats.join(", ")}.`);
}

function acceptedFormat(accept: string | undefined): ReportFormatWord | undefined {
  if (accept === undefined || accept.trim() === "") return "json";
  const media = new Negotiator({ headers: { accept } }).mediaType(Object.values(reportMedia));
  return reportFormats.find((format) => reportMedia[format] === media);
}
