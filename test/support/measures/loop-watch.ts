// Loaded into a process before its program (node --import): tells whoever connects how long the event loop was held
// since it last told. A hold counts the processor time of the loop's thread, so that other work on the machine is none.
import { createServer } from "node:net";

const socketPath = process.env.LOOP_WATCH_SOCKET;
let last = process.threadCpuUsage();
let longest = 0;

/** Ends one turn of the loop and begins the next. */
function mark(): void {
  const { user, system } = process.threadCpuUsage(last);
  longest = Math.max(longest, user + system);
  last = process.threadCpuUsage();
}

if (socketPath !== undefined) {
  setInterval(mark, 1).unref();
  const server = createServer((socket) => {
    mark();
    socket.end(String(longest / 1000));
    longest = 0;
  });
  server.listen(socketPath).unref();
}
