// The load process: does what it is ordered, one order after the other.
import { answerParent } from "../servers/child.ts";
import { openClients } from "./clients.ts";
import { drive } from "./drive.ts";
import type { LoadReport, Order } from "./orders.ts";

answerParent(async (order: Order): Promise<LoadReport> => {
  const clients = await openClients(order);
  try {
    return await drive(clients, order.seconds);
  } finally {
    for (const client of clients) client.close();
  }
});
