// A MySQL 9.7 for a run of tests.
import { MysqlNode } from "./mysql-node.ts";
import { provideMysqlRoot } from "./mysql97-root.ts";

/** No waits for the disk: only a crash of the whole machine could tell, and data of tests would not be missed then. */
const undurable = ["--innodb-flush-method=nosync", "--innodb-doublewrite=OFF"];

export interface Mysql97Options {
  readonly log: (line: string) => void;
  /** Whether what is written goes to the disk as in production. */
  readonly isDurable?: boolean;
  /** One of our own, also where TEST_DATABASE_URL names one. */
  readonly isAnother?: boolean;
  /** Further options of the server. */
  readonly options?: readonly string[];
}

export type Mysql97 = Awaited<ReturnType<typeof startMysql97>>;

/**
 * The server that TEST_DATABASE_URL names, else one on a free port. Throws, with the reason, where there is none to be had.
 * @returns its URL with an administrator's account and without a database: tests create their own
 */
export async function startMysql97({ log, isDurable, isAnother, options = [] }: Mysql97Options) {
  const url = process.env.TEST_DATABASE_URL;
  if (url && !isAnother) return { url, stop: async () => undefined };
  const node = await MysqlNode.create(await provideMysqlRoot(log), () => [...(isDurable ? [] : undurable), ...options]);
  await node.start();
  return { url: `mysql://root@127.0.0.1:${node.port}`, stop: () => node.remove() };
}
