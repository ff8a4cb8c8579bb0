// The form that a report is asked for in.
import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { textOf } from "../shared/query.ts";
import { type ReportFormatWord, reportFormats, reportMedia } from "./report-schemas.ts";

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
