// Implementations of services: a function for each rpc.
import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Handler, Handlers, PipelineCall } from "./call.ts";

/** The implementation of a service: a function for each of its rpcs. */
export type ServiceImpl<S extends DescService> = {
  [Name in keyof S["method"]]: (
    request: MessageShape<S["method"][Name]["input"]>,
    call: PipelineCall,
  ) => ResponseOf<S["method"][Name]> | Promise<ResponseOf<S["method"][Name]>>;
};
type ResponseOf<M extends DescMethod> = MessageInitShape<M["output"]>;

/** Pairs the rpcs of a service with their functions. */
export function toHandlers<S extends DescService>(service: S, implementation: ServiceImpl<S>): Handlers {
  return new Map(service.methods.map((method) => [method, implementation[method.localName] as Handler]));
}
