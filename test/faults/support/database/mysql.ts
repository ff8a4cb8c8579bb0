// MySQL 9.7 to break: a single server.

import { MysqlNode } from "../../../support/databases/servers/mysql-node.ts";
import { required } from "../run/means.ts";
import { type BreakableDatabase, prepareServer, schema } from "./database.ts";

export async function startMysql(): Promise<BreakableDatabase> {
  const node = await MysqlNode.create(required("FAULTS_MYSQL_ROOT"));
  await node.start();
  await node.asAdministrator(prepareServer);
  const urlThrough = (port: number) => `mysql://pas@127.0.0.1:${port}/${schema}`;
  return {
    url: urlThrough(node.port),
    target: { host: "127.0.0.1", port: node.port },
    urlThrough,
    kill: () => node.end("SIGKILL"),
    start: () => node.start(),
    asAdministrator: (work) => node.asAdministrator(work, schema),
    remove: () => node.remove(),
  };
}
