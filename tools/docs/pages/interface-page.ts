// The parts of docs/interface.md that are written from the code: every operation, every service.
import { readFileSync } from "node:fs";
import type { OpenAPIV3_1 } from "openapi-types";
import { services } from "../../../src/kernel/services.ts";
import { table } from "../markdown.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The parts by name. @param document what the service says of its REST interface */
export function interfaceParts(document: OpenAPIV3_1.Document): Record<string, string> {
  return { operations: operationTables(document), services: serviceTable() };
}

/** A table for each group of operations. */
function operationTables({ paths = {}, tags = [] }: OpenAPIV3_1.Document): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method];
      return operation === undefined ? [] : [{ path, method, ...operation }];
    }),
  );
  const names = [...new Set(operations.flatMap((operation) => operation.tags ?? []))];
  return names
    .map((name) => {
      const about = tags.find((tag) => tag.name === name)?.description ?? "";
      const rows = operations.flatMap((operation) => {
        if (!operation.tags?.includes(name)) return [];
        const scopes = (operation.security ?? []).flatMap((each) => Object.values(each).flat());
        return [
          [
            (operation.summary ?? "").replace(/\.$/, ""),
            `\`${operation.method.toUpperCase()} ${operation.path}\``,
            describeQuery(operation),
            scopes.map((scope) => `\`${scope}\``).join(", ") || "–",
          ],
        ];
      });
      return [`### ${name}`, about, table(["Operation", "Request", "Query", "Scope"], rows)].join("\n\n");
    })
    .join("\n\n");
}

function describeQuery({ parameters = [] }: OpenAPIV3_1.OperationObject): string {
  const names = parameters.flatMap((each) => ("in" in each && each.in === "query" ? [`\`${each.name}\``] : []));
  return names.join(", ") || "–";
}

/** Every service of the gRPC port, with what its proto says of it. */
function serviceTable(): string {
  const rows = services.map(({ name, file, methods: rpcs }) => [
    `\`${name}\``,
    readAbout(`proto/${file.name}.proto`, name),
    rpcs.map((rpc) => `\`${rpc.name}\``).join(", "),
  ]);
  return table(["Service", "What it is for", "Calls"], rows);
}

/** The first sentence of the comment before a service. */
function readAbout(file: string, name: string): string {
  const lines = readFileSync(file, "utf8").split("\n");
  const end = lines.indexOf(`service ${name} {`);
  const start = lines.findLastIndex((line, index) => index < end && !line.startsWith("//")) + 1;
  const comment = lines
    .slice(start, end)
    .map((line) => line.slice(3))
    .join(" ");
  const [sentence] = comment.split(/(?<=\.) /);
  return sentence ?? "";
}
