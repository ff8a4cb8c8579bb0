// pas partner …, pas client …: who may call.
import { createClient, createPartner, disableClient, rotateClientSecret } from "../domain/identity/partners.ts";
import { type Command, readArguments, required } from "./command.ts";
import { withDomain } from "./database.ts";
import { naming } from "./faults.ts";

export const partnerCreate: Command = {
  usage: "--name N [--internal]",
  about: "add a partner",
  async run(context) {
    const { options } = readArguments(context.args, { name: "string", internal: "boolean" });
    const partner = { name: required(options.name, "name"), internal: options.internal ?? false };
    const partnerId = await withDomain(context, (domain, deadline) =>
      naming(partner, createPartner(domain, partner, deadline)),
    );
    context.print({ partnerId });
  },
};

export const clientCreate: Command = {
  usage: '--partner ID --name N --scopes "sessions:write …"',
  about: "add a client; its secret is printed once",
  async run(context) {
    const { options } = readArguments(context.args, { partner: "string", name: "string", scopes: "string" });
    const client = {
      partnerId: required(options.partner, "partner"),
      name: required(options.name, "name"),
      scopes: required(options.scopes, "scopes").split(/\s+/),
    };
    context.print(
      await withDomain(context, (domain, deadline) => naming(client, createClient(domain, client, deadline))),
    );
  },
};

export const clientRotate: Command = {
  usage: "ID",
  about: "give a client a further secret; of three the oldest ends",
  async run(context) {
    const [clientId = ""] = readArguments(context.args, {}, ["ID"]).positionals;
    const clientSecret = await withDomain(context, (domain, deadline) =>
      rotateClientSecret(domain, clientId, deadline),
    );
    context.print({ clientId, clientSecret });
  },
};

export const clientDisable: Command = {
  usage: "ID",
  about: "end a client and its tokens",
  async run(context) {
    const [clientId = ""] = readArguments(context.args, {}, ["ID"]).positionals;
    await withDomain(context, (domain, deadline) => disableClient(domain, clientId, deadline));
    context.print({ clientId, disabled: true });
  },
};
