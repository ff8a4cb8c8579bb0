// Calls of HostedService and ReportService on behalf of a person's browser: the pipeline decides what the browser
// session allows.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyRequest } from "fastify";
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type ExchangeLinkResponse,
  type GetHostedSessionResponse,
  HostedService,
  type OpenOwnReportResponse,
} from "../../gen/assessment/v1/hosted_service_pb.ts";
import {
  type ExchangeReportLinkResponse,
  type RenderOwnReportRequestSchema,
  type RenderOwnReportResponse,
  ReportService,
} from "../../gen/assessment/v1/report_service_pb.ts";
import { type Core, metadata, traceparentOf } from "../../kernel/calls/core.ts";
import { markReported, recordOf } from "../../transport/http/request-record.ts";
import { fromCallError } from "../page-error.ts";

/** A browser session, as its cookie says. */
export interface BrowserSession {
  readonly sessionId: string;
  readonly token: string;
}

/** Every call throws a PageError. */
export class HostedClient {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  exchangeLink(request: FastifyRequest, linkToken: string): Promise<ExchangeLinkResponse> {
    return this.#call(HostedService.method.exchangeLink, request, {}, { linkToken });
  }

  /**
   * @param languages BCP 47 tags of the languages that the person reads, the preferred one first
   * @param chosenLanguage on the pages; undefined: none
   */
  getSession(
    request: FastifyRequest,
    { sessionId, token }: BrowserSession,
    languages: readonly string[],
    chosenLanguage: string | undefined,
  ): Promise<GetHostedSessionResponse> {
    const message = { sessionId, languages: [...languages], ...(chosenLanguage && { chosenLanguage }) };
    return this.#call(HostedService.method.getHostedSession, request, bearer(token), message);
  }

  /**
   * @param ratings by question id, at least one
   * @param language of the statements on the page
   */
  async saveAnswers(
    request: FastifyRequest,
    { sessionId, token }: BrowserSession,
    ratings: ReadonlyMap<number, number>,
    language: string,
  ): Promise<void> {
    const answers = [...ratings].map(([questionId, value]) => ({
      questionId,
      response: { type: QuestionType.LIKERT, value },
    }));
    const message = { sessionId, answers, language };
    await this.#call(HostedService.method.saveHostedAnswers, request, bearer(token), message);
  }

  /** @returns where the person goes next */
  async finish(request: FastifyRequest, { sessionId, token }: BrowserSession): Promise<string> {
    const method = HostedService.method.finishHostedSession;
    return (await this.#call(method, request, bearer(token), { sessionId })).returnUrl;
  }

  /** Opens the report of a completed session. */
  openOwnReport(
    request: FastifyRequest,
    { sessionId, token }: BrowserSession,
    chosenLanguage: string | undefined,
  ): Promise<OpenOwnReportResponse> {
    const message = { sessionId, ...(chosenLanguage && { chosenLanguage }) };
    return this.#call(HostedService.method.openOwnReport, request, bearer(token), message);
  }

  exchangeReportLink(request: FastifyRequest, linkToken: string): Promise<ExchangeReportLinkResponse> {
    return this.#call(ReportService.method.exchangeReportLink, request, {}, { linkToken });
  }

  /** @param wanted languages of the person, format, paper and the path of the PDF */
  renderOwnReport(
    request: FastifyRequest,
    { sessionId, token }: BrowserSession,
    wanted: Omit<MessageInitShape<typeof RenderOwnReportRequestSchema>, "$typeName" | "sessionId">,
  ): Promise<RenderOwnReportResponse> {
    return this.#call(ReportService.method.renderOwnReport, request, bearer(token), { ...wanted, sessionId });
  }

  /** Keeps the step that the person chose; an empty one is taken away. */
  async setOwnIntention(
    request: FastifyRequest,
    { sessionId, token }: BrowserSession,
    chosen: { readonly step: string; readonly lookAgainOn?: string },
  ): Promise<void> {
    await this.#call(ReportService.method.setOwnIntention, request, bearer(token), { ...chosen, sessionId });
  }

  async #call<M extends DescMethodUnary>(
    rpc: M,
    request: FastifyRequest,
    header: Readonly<Record<string, string>>,
    message: MessageInitShape<M["input"]>,
  ): Promise<MessageShape<M["output"]>> {
    const origin = {
      transport: "web",
      address: request.callerAddress,
      requestId: request.id,
      traceparent: traceparentOf(request.headers[metadata.traceparent]?.toString()),
      trace: recordOf(request.raw).trace,
      isTrusted: false,
    } as const;
    try {
      return await this.#core.call({ method: rpc, origin, header: (name) => header[name], read: () => message });
    } catch (error) {
      markReported(request);
      throw fromCallError(error);
    }
  }
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { [metadata.authorization]: `Bearer ${token}` };
}
