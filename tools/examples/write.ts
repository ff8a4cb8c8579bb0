// node tools/examples/write.ts [FOLDER]: writes the request collection to FOLDER, examples by default, as postman.json.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { openApiDocument } from "../docs/pages/openapi-document.ts";
import { postmanCollection } from "./postman.ts";
import { requestCollection } from "./request-collection.ts";

const [, , folder = "examples"] = argv;
writeFileSync(join(folder, "postman.json"), postmanCollection(requestCollection(openApiDocument())));
