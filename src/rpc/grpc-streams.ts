// Streams of the gRPC port: health watches and reflection. They have no end of their own, so they are counted, and ended
// when the service stops.
import * as grpc from "@grpc/grpc-js";

const maxOpenStreams = 1_000;

type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];

/** The open streams of a server. */
export class OpenStreams {
  readonly #open = new Set<InterceptingCall>();

  /** To be given to the server. */
  readonly interceptor: grpc.ServerInterceptor = ({ responseStream }, call) =>
    responseStream ? this.#watch(call) : (call as grpc.ServerInterceptingCall);

  /** Ends every stream with a status that makes its client look for another server. */
  end(): void {
    const status = {
      code: grpc.status.UNAVAILABLE,
      details: "The service is stopping.",
      metadata: new grpc.Metadata(),
    };
    for (const call of this.#open) call.sendStatus(status);
    this.#open.clear();
  }

  #watch(call: InterceptingCall): grpc.ServerInterceptingCall {
    if (this.#open.size >= maxOpenStreams) {
      const details = "Too many streams are open.";
      call.sendStatus({ code: grpc.status.RESOURCE_EXHAUSTED, details, metadata: new grpc.Metadata() });
      return new grpc.ServerInterceptingCall(call);
    }
    this.#open.add(call);
    const forget = () => this.#open.delete(call);
    const listener = new grpc.ServerListenerBuilder().withOnCancel(forget).build();
    const responder = new grpc.ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendStatus((status, next) => {
        forget();
        next(status);
      })
      .build();
    return new grpc.ServerInterceptingCall(call, responder);
  }
}
