// The picture that a person shares: its public page, for previews of links too, and the picture itself.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type OpenCardResponse, ReportService } from "../../gen/assessment/v1/report_service_pb.ts";
import type { BrowserSessionPages } from "../browser-session/browser-session-pages.ts";
import { privateHeaders } from "../headers.ts";
import { cardRoutes, extractLinkToken, reportsPrefix } from "../paths.ts";
import { createAppearance } from "../views/appearance.ts";
import { renderCardPage } from "../views/card.ts";
import { throwLinkError } from "./link.ts";

/** Adds the routes of pictures. HEAD has the status of GET: a picture that was taken back is gone at once. */
export function addCardRoutes(app: FastifyInstance, pages: BrowserSessionPages): void {
  const readCardToken = ({ params }: FastifyRequest) => extractLinkToken((params as { cardToken: string }).cardToken);
  const openCard = async (request: FastifyRequest, picture: boolean): Promise<OpenCardResponse> => {
    const message = { cardToken: readCardToken(request), picture };
    return pages
      .call(request, ReportService.method.openCard, message)
      .catch((error) => throwLinkError(error, "endedCard"));
  };

  app.get(cardRoutes.page, async (request, reply) => {
    const card = await openCard(request, false);
    request.appearance = createAppearance({ ...card, languages: [] }, [card.language]);
    const path = reportsPrefix + cardRoutes.page.replace(":cardToken", readCardToken(request));
    const page = renderCardPage(card, pages.publicUrl() + path, pages.getBase() + path, request.appearance);
    return pages.send(reply, page);
  });

  app.get(cardRoutes.picture, async (request, reply) => {
    const { picture } = await openCard(request, true);
    return reply
      .headers({ ...privateHeaders, "cross-origin-resource-policy": "cross-origin" })
      .type("image/png")
      .send(picture);
  });
}
