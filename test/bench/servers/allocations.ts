// What a process allocates on V8's heap meanwhile, by its inspector: what is collected again counts too.
import { once } from "node:events";
import { type CallFrame, packageOf } from "../report/call-frames.ts";

/** One allocation in so many bytes is seen, on average. */
const samplingInterval = 16 * 1024;
const methods = { start: "HeapProfiler.startSampling", stop: "HeapProfiler.stopSampling" };

interface ProfileNode {
  readonly callFrame: CallFrame;
  /** Bytes that were allocated in this place. */
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

/** The bytes that a process allocates during some work, by package. @param inspectorUrl of the process */
export async function allocatedDuring<T>(
  inspectorUrl: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: ReadonlyMap<string, number> }> {
  const socket = new WebSocket(inspectorUrl);
  await once(socket, "open");
  const ask = async (id: number, method: string, params: object = {}) => {
    socket.send(JSON.stringify({ id, method, params }));
    const [message] = (await once(socket, "message")) as [{ readonly data: string }];
    return JSON.parse(message.data).result as { readonly profile: { readonly head: ProfileNode } };
  };
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await ask(1, methods.start, { samplingInterval, ...collected });
  const result = await work();
  const { profile } = await ask(2, methods.stop);
  socket.close();
  const bytes = new Map<string, number>();
  for (const nodes = [profile.head]; nodes.length > 0; ) {
    const node = nodes.pop() ?? profile.head;
    const name = packageOf(node.callFrame);
    bytes.set(name, (bytes.get(name) ?? 0) + node.selfSize);
    nodes.push(...node.children);
  }
  return { result, bytes };
}
