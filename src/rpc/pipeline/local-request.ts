// A request of the pipeline, as interceptors see it.
import type { DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import type { ContextValues, UnaryRequest } from "@connectrpc/connect";

/**
 * A request whose message is made when it is first read. A class, since a getter in an object literal gives every
 * object a shape of its own, which keeps all that the getter sees until the next full collection.
 */
export class LocalRequest implements UnaryRequest {
  readonly stream = false;
  readonly service: DescService;
  readonly method: DescMethodUnary;
  readonly requestMethod = "POST";
  readonly url: string;
  readonly header: Headers;
  readonly contextValues: ContextValues;
  readonly signal: AbortSignal;
  readonly #read: () => Message;
  #message: Message | undefined;

  constructor(
    method: DescMethodUnary,
    header: Headers,
    contextValues: ContextValues,
    signal: AbortSignal,
    read: () => Message,
  ) {
    this.service = method.parent;
    this.method = method;
    this.url = `local:/${method.parent.typeName}/${method.name}`;
    this.header = header;
    this.contextValues = contextValues;
    this.signal = signal;
    this.#read = read;
  }

  get message(): Message {
    this.#message ??= this.#read();
    return this.#message;
  }
}
