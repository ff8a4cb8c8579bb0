// node tools/examples/write.ts [FOLDER]: writes the request collection to FOLDER, examples by default, as postman.json and as
// the files of bruno/.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { openApiDocument } from "../docs/pages/openapi-document.ts";
import { brunoCollection } from "./bruno.ts";
import { postmanCollection } from "./postman.ts";
import { requestCollection } from "./request-collection.ts";

const [, , folder = "examples"] = argv;
const collection = requestCollection(openApiDocument());
const files = brunoCollection(collection).map(([path, text]) => [join("bruno", path), text] as const);
for (const [path, text] of [["postman.json", postmanCollection(collection)] as const, ...files]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
