// The service over the cluster as operators run it: two cores, two gateways, one that delivers; and partners.
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { ServiceProcess } from "../../faults/support/service/service.ts";
import { fetchToken, openPartners } from "../../support/databases/partners.ts";
import { localWebhooks } from "../../support/processes/settings.ts";

/** So many that a shard of four has none of them only by a chance of one in a thousand. */
const partnerCount = 24;

export interface Caller {
  readonly partnerId: string;
  readonly token: string;
  /** The gateway that it calls. */
  readonly httpUrl: string;
}

export type ServiceOfMany = Awaited<ReturnType<typeof startService>>;

export async function startService(url: string) {
  const partners = openPartners({ url });
  const internal = await partners.addPartner({ internal: true });
  const gateway = await partners.addClient(internal, ["gateway"]);
  const internalReader = await partners.addClient(internal, ["events:read-all"]);
  const environment = { DATABASE_URL: url, ...localWebhooks };
  const cores = [
    await ServiceProcess.start(environment, "--role", "core"),
    await ServiceProcess.start(environment, "--role", "core"),
  ];
  const deliverer = await ServiceProcess.start(environment, "--role", "deliver");
  const gateways: ServiceProcess[] = [];
  for (const core of cores) {
    const own = { GATEWAY_CLIENT_ID: gateway.clientId, GATEWAY_CLIENT_SECRET: gateway.clientSecret };
    const address = ["--role", "gateway", "--core", `http://${core.grpcAddress}`];
    gateways.push(await ServiceProcess.start(own, ...address));
  }
  const callers: Caller[] = [];
  for (let index = 0; index < partnerCount; index += 1) {
    const { httpUrl = "" } = gateways[index % gateways.length] ?? {};
    const partnerId = await partners.addPartner({ name: `Partner ${index}` });
    const client = await partners.addClient(partnerId, partnerScopes);
    callers.push({ partnerId, httpUrl, token: await fetchToken(httpUrl, client) });
  }
  const [first] = gateways;
  const token = await fetchToken(first?.httpUrl ?? "", internalReader);
  await partners.close();
  return {
    cores,
    gateways,
    deliverer,
    callers,
    /** An internal client that may read all events. */
    reader: { grpcAddress: cores[0]?.grpcAddress ?? "", token },
    async stop() {
      for (const each of [...gateways, deliverer, ...cores]) await each.end("SIGKILL");
    },
  };
}
