// A rendered report over REST: content negotiation, and the response.
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { type RenderReportResponse, ReportFormat } from "../../gen/assessment/v1/report_service_pb.ts";
import { mapEnumWords } from "../../json/members.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { parseAcceptedLanguages } from "../../kernel/languages.ts";
import {
  type Coding,
  choosePreferredCoding,
  compress,
  parseEntityTags,
  type Representation,
  type SentReply,
  sendWithEtag,
} from "../../transport/http/send.ts";
import { readText } from "../rest/read-request.ts";

/** Media types of reports by format, the default first. */
const reportMedia = {
  json: "application/json",
  html: "text/html",
  pdf: "application/pdf",
  svg: "image/svg+xml",
  png: "image/png",
} as const;

type ReportFormatWord = keyof typeof reportMedia;

const reportFormats = Object.keys(reportMedia) as readonly ReportFormatWord[];
const formats = mapEnumWords(ReportFormat);

/** Media types that are compressed already. */
const compressedMedia: ReadonlySet<string> = new Set([reportMedia.pdf, reportMedia.png]);

/** Reads languages, format and known entity tags of a report request. Throws `not_acceptable`. */
export function readReportRequest(request: FastifyRequest) {
  const format = chooseFormat(request);
  return {
    languages: parseAcceptedLanguages(request.headers["accept-language"]),
    knownEntityTags: readEntityTags(request, choosePreferredCoding(request, listCodings(reportMedia[format]))),
    format: formats[format],
  };
}

function listCodings(mediaType: string): readonly Coding[] {
  return compressedMedia.has(mediaType) ? ["identity"] : ["gzip", "identity"];
}

/** The caller's entity tags, as tags of the core: each coding has a tag of its own (RFC 9110 section 8.8.3). */
function readEntityTags(request: FastifyRequest, coding: Coding): string[] {
  const tagSuffix = coding === "gzip" ? '-gzip"' : '"';
  return parseEntityTags(request.headers["if-none-match"]).flatMap((tag) =>
    tag === "*" ? ["*"] : tag.endsWith(tagSuffix) ? [`${tag.slice(0, -tagSuffix.length)}"`] : [],
  );
}

/** Sends a rendered report, or 304 if the caller has it. */
export function sendRendered(
  reply: FastifyReply,
  { mediaType, entityTag, fileName, language, notModified, body }: Omit<RenderReportResponse, "$typeName">,
): SentReply {
  reply.headers({
    "cache-control": "private, no-cache",
    "content-language": language,
    vary: "accept, accept-language, accept-encoding",
  });
  if (!notModified) {
    reply.headers({
      "content-disposition": `inline; filename="${fileName}"`,
      // In a browser it runs no script and loads nothing.
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; frame-ancestors 'none'",
    });
  }
  const representation: Representation = {
    type: mediaType === "application/json" ? "application/json; charset=utf-8" : mediaType,
    codings: listCodings(mediaType),
    body: (coding) => (coding === "gzip" ? compress(body) : body),
  };
  return sendWithEtag(reply, representation, entityTag.slice(1, -1));
}

/** The format of the query, else of the header Accept. Throws `not_acceptable`. */
function chooseFormat(request: FastifyRequest): ReportFormatWord {
  const formatParameter = readText(request, "format");
  const format =
    formatParameter === undefined
      ? negotiateFormat(request.headers.accept)
      : reportFormats.find((each) => each === formatParameter);
  if (format !== undefined) return format;
  throw new Refusal("not_acceptable", `A report is available as ${reportFormats.join(", ")}.`);
}

function negotiateFormat(accept: string | undefined): ReportFormatWord | undefined {
  if (accept === undefined || accept.trim() === "") return "json";
  const media = new Negotiator({ headers: { accept } }).mediaType(Object.values(reportMedia));
  return reportFormats.find((format) => reportMedia[format] === media);
}
