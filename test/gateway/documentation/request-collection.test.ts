// The request collection has every operation. Newman runs it in test/outsiders.
import { expect, test } from "vitest";
import { openApiDocument } from "../../../tools/docs/pages/openapi-document.ts";
import { requestCollection } from "../../../tools/examples/request-collection.ts";

test("the request collection has every operation of the OpenAPI document, and no other", () => {
  const document = openApiDocument();
  const documented = Object.entries(document.paths ?? {}).flatMap(([path, operations = {}]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { operationId } = operation as { operationId: string };
      return `${operationId}: ${method} ${path}`;
    }),
  );
  const collected = requestCollection(document).requests.map(({ key, method, url }) => {
    const [, path = ""] = /^\{\{url\}\}([^?]*)/.exec(url) ?? [];
    const template = path.replace(/\{\{(?:open|second)Id\}\}/, "{{id}}");
    return `${key}: ${method} ${template.replaceAll("{{", "{").replaceAll("}}", "}")}`;
  });
  const more = new Set(["createOpenSession", "createSecondSession", "completeSecondSession"]);
  const unlisted = collected.filter((line) => !more.delete(line.split(":")[0] ?? ""));
  expect(more).toEqual(new Set());
  expect(unlisted.toSorted()).toEqual(documented.toSorted());
});
