// A report as bytes over REST: which form a request asks for, and the response.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { type RenderReportResponse, ReportFormat, ReportPaper } from "../../gen/assessment/v1/report_service_pb.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { unknownWord } from "../../kernel/json/bounds.ts";
import { byWord } from "../../kernel/json/members.ts";
import { acceptedLanguages } from "../../transport/http/accepted-languages.ts";
import { preferredCoding } from "../../transport/http/bodies/json-body.ts";
import { textOf } from "../rest/query.ts";
import { papers, type ReportFormatWord, reportFormats, reportMedia } from "./report-schemas.ts";

const gzipAsync = promisify(gzip);
const formats = byWord(ReportFormat);
const paperNames = byWord(ReportPaper);

/** Media types whose bytes are packed already. */
const packed: ReadonlySet<string> = new Set([reportMedia.pdf, reportMedia.png]);

type Coding = "gzip" | "identity";

/**
 * What a request asks for of any report, as members of the message. Throws `not_acceptable` and `invalid_request`.
 * @param person what is to stand on the report
 */
export function formAsked(
  request: FastifyRequest,
  person: Partial<Record<"name" | "date" | "timeZone", string | undefined>> = {},
) {
  const format = preferredFormat(request);
  const locale = textOf(request, "locale");
  const languages = acceptedLanguages(request.headers["accept-language"]);
  const knownEntityTags = knownTags(request, codingOf(request, reportMedia[format]));
  return {
    locale,
    languages,
    knownEntityTags,
    format: formats[format],
    paper: paperNames[knownWord(papers, request, "paper") ?? "a4"],
    ...person,
  };
}

function codingOf(request: FastifyRequest, mediaType: string): Coding {
  return packed.has(mediaType) ? "identity" : preferredCoding(request, ["gzip", "identity"]);
}

/** One of the words, undefined without the parameter. Throws `invalid_request`. */
export function knownWord<T extends string>(
  words: readonly T[],
  request: FastifyRequest,
  name: "picture" | "paper",
): T | undefined {
  const given = textOf(request, name);
  const known = words.find((word) => word === given);
  if (given !== undefined && known === undefined) throw invalidRequest([{ path: [name], ...unknownWord(words) }]);
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

/** Answers with a rendered report, or that the caller has it. */
export async function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, entityTag, fileName, language, notModified, body }: Omit<RenderReportResponse, "$typeName">,
): Promise<FastifyReply> {
  const coding = codingOf(request, mediaType);
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
function preferredFormat(request: FastifyRequest): ReportFormatWord {
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
