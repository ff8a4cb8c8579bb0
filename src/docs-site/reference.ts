// The reference of REST: Scalar shows the OpenAPI document in the browser.
import { fastify } from "fastify";
import { StaticFile } from "../transport/http/static-files.ts";
import type { Page, Section } from "./page.ts";

/** The parts of the OpenAPI document that the site reads. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
}

/** The page, with a section for each operation. */
export function createReferencePage({ paths }: ApiDocument): Page {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const body = `<noscript><p>The reference needs JavaScript. <a href="interface">The interface at a glance</a> has every operation, and
<a href="../openapi.json">the OpenAPI document</a> all that is known of them.</p></noscript>
<section id="content" tabindex="-1"><div id="reference" data-document="../openapi.json"></div></section>
<script defer src="scalar.js"></script>
<script type="module" src="assets/reference.js"></script>`;
  return { title: "Reference", body, sections: operations.map(toSection), kind: "reference", weight: 1.5 };
}

function toSection({ operationId, summary, description, tags: [tag = ""] }: ApiOperation): Section {
  const anchor = `tag/${tag.toLowerCase()}/${operationId}`;
  return { anchor, heading: summary.replace(/\.$/, ""), depth: 2, text: description.replaceAll("`", "") };
}

/** The library, as a single file. `@scalar/api-reference` has 270 dependencies. */
export async function readScalar(): Promise<StaticFile> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const app = fastify();
  await app.register(scalar, { configuration: { url: "/openapi.json" } });
  const { rawPayload } = await app.inject("/reference/js/scalar.js");
  return new StaticFile("text/javascript; charset=utf-8", rawPayload);
}
