// Rows whose transaction is held open: they are stored, and nobody sees them before they are committed.
import type { Connection } from "mysql2/promise";
import type { TestStores } from "../databases/stores.ts";

export class LateRows {
  readonly #free: Connection[];

  private constructor(connections: Connection[]) {
    this.#free = connections;
  }

  /** @param most rows that are held at a time */
  static async open(database: TestStores, most = 4): Promise<LateRows> {
    return new LateRows(await Promise.all(Array.from({ length: most }, () => database.openConnection())));
  }

  get isFull(): boolean {
    return this.#free.length === 0;
  }

  /** Begins a transaction and writes in it. @returns its commit, which may be called once */
  async write(sql: string, values: readonly unknown[]): Promise<() => Promise<void>> {
    const connection = this.#free.pop();
    if (connection === undefined) throw new Error("too many rows are held at a time");
    await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await connection.beginTransaction();
    await connection.query(sql, [...values]);
    return async () => {
      await connection.commit();
      this.#free.push(connection);
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.map((connection) => connection.end()));
  }
}
