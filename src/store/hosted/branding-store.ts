// How the hosted pages of partners look, in MySQL.
import type { Knex } from "knex";
import { uuidToBytes } from "../../database/rows.ts";
import { compile, fetchRows, write } from "../../database/statement.ts";
import type { BrandingStore } from "../../domain/hosted/branding-port.ts";

/** The branding part of the Store port. */
export function createBrandingStore(db: Knex): BrandingStore {
  const columns = ["display_name", "logo_url", "accent_color"];
  const statements = {
    find: compile(db("partner_brandings").select(columns).where({ partner_id: ":partnerId" })),
    save: compile(
      db.raw(
        `INSERT INTO partner_brandings (partner_id, ${columns.join(", ")}) VALUES (?, ?, ?, ?)
         ON DUPLICATE KEY UPDATE ${columns.map((column) => `${column} = VALUES(${column})`).join(", ")}`,
        [":partnerId", ":displayName", ":logoUrl", ":accentColor"],
      ),
    ),
  };
  return {
    async findBranding(partnerId, signal) {
      const [row] = await fetchRows(db, statements.find, { partnerId: uuidToBytes(partnerId) }, signal);
      if (row === undefined) return undefined;
      const logoUrl = row.logo_url?.toString() ?? null;
      return { displayName: row.display_name, logoUrl, accentColor: row.accent_color };
    },
    async saveBranding(partnerId, { displayName, logoUrl, accentColor }, signal) {
      const logo = logoUrl === null ? null : Buffer.from(logoUrl);
      const values = { partnerId: uuidToBytes(partnerId), displayName, logoUrl: logo, accentColor };
      await write(db, statements.save, values, signal);
    },
  };
}
