// The Connect door: the same rpcs over HTTP/1.1 for browsers, curl and TypeScript clients, also gRPC-Web.
import type { DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl, Transport } from "@connectrpc/connect";

/** Routes that pass every rpc on to the pipeline. The router itself runs no interceptor, so the chain runs once. */
export function connectRoutes(transport: Transport, services: readonly DescService[]): (router: ConnectRouter) => void {
  return (router) => {
    for (const service of services) {
      const calls = service.methods.map((method) => [method.localName, forward(transport, method as DescMethodUnary)]);
      router.service(service, Object.fromEntries(calls) as ServiceImpl<DescService>);
    }
  };
}

function forward(transport: Transport, method: DescMethodUnary) {
  return async (input: Record<string, unknown>, context: HandlerContext) => {
    const { signal, requestHeader, values } = context;
    const response = await transport.unary(method, signal, context.timeoutMs(), requestHeader, input, values);
    return response.message;
  };
}
