// A name server of a test's own.
import { createSocket } from "node:dgram";
import { onTestFinished } from "vitest";

/** A name server on loopback that gives each A query the next of these addresses, and the last one for ever. */
export async function startNameServer(...answers: readonly string[][]): Promise<string> {
  const remainingAnswers = [...answers];
  const socket = createSocket("udp4", (query, { port, address }) => {
    const isA = query.readUInt16BE(query.length - 4) === 1 || query.includes(Buffer.from([0, 0, 1, 0, 1]));
    const addresses = isA ? ((remainingAnswers.length > 1 ? remainingAnswers.shift() : remainingAnswers[0]) ?? []) : [];
    let end = 12;
    while (query[end] !== 0) end += 1 + (query[end] ?? 0);
    const question = query.subarray(12, end + 5);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((each) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split(".").map(Number)]);
    socket.send(Buffer.concat([header, question, ...records.map((record) => Buffer.from(record))]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
