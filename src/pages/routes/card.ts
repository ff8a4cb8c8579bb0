// The picture that a person shares: its public page, which previews of links read, and the picture itself.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type OpenCardResponse, ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { languageFor } from "../catalogue/language.ts";
import { privateHeaders } from "../headers.ts";
import { PageError } from "../page-error.ts";
import { cardRoutes, linkTokenIn, reportsPrefix } from "../paths.ts";
import { cardPage } from "../views/card.ts";
import { asLinkError } from "./link.ts";

/** Adds the routes of pictures. HEAD has the status of GET: a picture that was taken back is gone at once. */
export function addCardRoutes(app: FastifyInstance, pages: BrowserSessionPages, publicUrl: () => string): void {
  const tokenIn = ({ params }: FastifyRequest) => linkTokenIn((params as { cardToken: string }).cardToken);
  const read = async (request: FastifyRequest, picture: boolean): Promise<OpenCardResponse> => {
    const message = { cardToken: tokenIn(request), picture };
    return pages.call(request, ReportService.method.openCard, message).catch(asCardError);
  };

  app.get(cardRoutes.page, async (request, reply) => {
    const card = await read(request, false);
    const { language: tag, branding, testData } = card;
    request.appearance = { language: languageFor([tag]), branding: branding ?? {}, isTest: testData, languages: [] };
    const path = reportsPrefix + cardRoutes.page.replace(":cardToken", tokenIn(request));
    return pages.send(reply, cardPage(card, publicUrl() + path, pages.base() + path, request.appearance));
  });

  app.get(cardRoutes.picture, async (request, reply) => {
    const { picture } = await read(request, true);
    return reply
      .headers({ ...privateHeaders, "cross-origin-resource-policy": "cross-origin" })
      .type("image/png")
      .send(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
  });
}

function asCardError(error: unknown): never {
  if (error instanceof PageError && error.page === "expiredLink") throw new PageError("endedCard", 410, error);
  return asLinkError(error);
}
