// What of the documentation and of deploy/ is written by code. `npm run docs` writes it, and a test holds the files to it.
import { readFileSync } from "node:fs";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { layers } from "../architecture/layers.ts";
import { dashboardDocument } from "../operations/dashboard.ts";
import { rulesDocument } from "../operations/rules.ts";
import { drawHouse } from "./house.ts";
import { fillPlaces, readParts } from "./markdown.ts";
import { commandReference } from "./pages/command-line.ts";
import { instrumentParts, translationParts } from "./pages/instrument-page.ts";
import { interfaceParts } from "./pages/interface-page.ts";
import { licencesPage } from "./pages/licences.ts";
import { mcpProblems } from "./pages/mcp-problems.ts";
import { openApiDocument } from "./pages/openapi-document.ts";
import {
  configurationTable,
  decisionTable,
  deprecationTable,
  errorTable,
  eventTypeTable,
  folderTable,
  testFolderTable,
} from "./pages/reference-parts.ts";
import { reportPictures, reportsParts } from "./pages/reports-page.ts";
import { resultsParts } from "./pages/results-page.ts";
import { drawValuesCircle } from "./values-circle.ts";

const definitionFolder = "src/products/values-bridge/definition";

/** The value whose pairings the drawing of the circle shows. */
const shownValue = 2;

/** Every file that is written by code, wholly or in places, with its content. Paths are those of the repository. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const definition: Definition = JSON.parse(readFileSync(`${definitionFolder}/values-bridge.json`, "utf8"));
  const openApi = openApiDocument();
  return new Map([
    ["docs/house.svg", drawHouse(layers)],
    ["docs/values-circle.svg", drawValuesCircle(definition, shownValue)],
    ...(await reportPictures(definition)),
    ["docs/licences.md", licencesPage()],
    ["deploy/prometheus/rules.yaml", rulesDocument()],
    ["deploy/grafana/service.json", dashboardDocument()],
    ["mcp/problems.json", mcpProblems()],
    fillDocument("docs/house.md", {
      // tools/house/table.ts writes it. A branch that has shrunk a room is not held to its new size.
      size: readParts(readFileSync("docs/house.md", "utf8")).size ?? "",
      folders: folderTable(),
      "test-folders": testFolderTable(),
    }),
    fillDocument("docs/decisions/README.md", { decisions: decisionTable() }),
    fillDocument("docs/webhooks.md", { "event-types": eventTypeTable() }),
    fillDocument("docs/errors.md", { errors: errorTable() }),
    fillDocument("docs/deprecation.md", { deprecations: deprecationTable() }),
    fillDocument("docs/command-line.md", { commands: commandReference() }),
    fillDocument("docs/interface.md", interfaceParts(openApi)),
    fillDocument("docs/configuration.md", { configuration: configurationTable() }),
    fillDocument("docs/instrument.md", instrumentParts(definition)),
    fillDocument("docs/translations.md", translationParts(definition)),
    fillDocument("docs/results.md", resultsParts(definition)),
    fillDocument("docs/reports.md", { ...readParts(readFileSync("docs/reports.md", "utf8")), ...reportsParts() }),
  ]);
}

function fillDocument(file: string, parts: Readonly<Record<string, string>>): [file: string, content: string] {
  return [file, fillPlaces(readFileSync(file, "utf8"), parts)];
}
