// What a table of columns makes of its objects: their columns in SQL, their values, and the objects of rows.
import { expect, test } from "vitest";
import { byteText, flag, plain, table, uuid } from "../../src/store/table.ts";

interface Thing {
  readonly id: string;
  readonly parentId: string | null;
  readonly externalName: string | null;
  readonly isOpen: boolean;
  readonly words: readonly string[];
  readonly span: { readonly from: number; readonly until: number } | null;
}

const words = { read: (text: string) => text.split(" "), write: (list: readonly string[]) => list.join(" ") };
const things = table<Thing>({
  id: uuid,
  parentId: uuid,
  externalName: byteText,
  isOpen: flag,
  words,
  span: { parts: { from: { name: "starts_at" }, ...plain("until") } },
});
const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const row = { id: Buffer.from(id.replaceAll("-", ""), "hex"), parent_id: null, is_open: 0, words: "a b" };

test("columns are named after their members", () => {
  expect(things.columns).toBe("id, parent_id, external_name, is_open, words, starts_at, until");
  expect(things.markers).toBe(":id, :parentId, :externalName, :isOpen, :words, :startsAt, :until");
  expect(things.assignments).toContain("parent_id = :parentId, ");
  expect(things.replacements).toContain("starts_at = VALUES(starts_at)");
  expect(things.select`FROM things WHERE id = :id`.sql).toBe(`SELECT ${things.columns} FROM things WHERE id = ?`);
  expect(things.selectFrom("t")`FROM things AS t`.sql).toMatch(
    /^SELECT t\.id, t\.parent_id, .*t\.until FROM things AS t$/,
  );
});

test.each([
  [
    { external_name: Buffer.from("Bé"), starts_at: 1, until: 2 },
    { externalName: "Bé", span: { from: 1, until: 2 } },
  ],
  [
    { external_name: null, starts_at: 1, until: null },
    { externalName: null, span: null },
  ],
])("the row %o is read as the object %o", (columns, members) => {
  const object = things.fromRow({ ...row, ...columns } as never);
  expect(object).toEqual({ id, parentId: null, isOpen: false, words: ["a", "b"], ...members });
});

test.each([
  [
    { from: 1, until: 2 },
    { startsAt: 1, until: 2 },
  ],
  [null, { startsAt: null, until: null }],
])("an object has a value for each marker, with the span %o", (span, values) => {
  const object: Thing = { id, parentId: null, externalName: "b", isOpen: true, words: ["a", "b"], span };
  expect(things.toRow(object)).toMatchObject({ id: row.id, parentId: null, isOpen: true, words: "a b", ...values });
});
