// The functions behind the rpcs: what services implement, by rpc.
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";

type Output = Record<string, unknown>;

/** A function of a service, whatever its messages. */
export type Handler = (request: never, context: HandlerContext) => Promise<Output> | Output;

/** The functions of services by rpc. */
export type Handlers = ReadonlyMap<DescMethod, Handler>;

/** Pairs the rpcs of a service with their functions. */
export function handlersOf<S extends DescService>(service: S, implementation: ServiceImpl<S>): Handlers {
  const functions = implementation as Readonly<Record<string, Handler>>;
  const handlers = new Map<DescMethod, Handler>();
  for (const method of service.methods) {
    const handler = functions[method.localName];
    if (handler === undefined) throw new Error(`${method.name} is not implemented`);
    handlers.set(method, handler);
  }
  return handlers;
}
