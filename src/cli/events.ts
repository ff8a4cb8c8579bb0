// pas events …: looking after the log of events.
import { type Command, readArguments } from "./command.ts";
import { withDomain } from "./database.ts";

export const eventsSkipAhead: Command = {
  usage: "",
  about: "after a restored backup or a lossy failover: leave out 2^32 numbers, so that none is handed out twice",
  async run(context) {
    readArguments(context.args, {});
    const position = await withDomain(context, async ({ events }, { signal }) => {
      await events.skipAhead(signal);
      return (await events.findBounds(signal)).head;
    });
    context.print({ position: String(position) });
  },
};
