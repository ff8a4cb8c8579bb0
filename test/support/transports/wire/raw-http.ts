// Bytes on a socket, for requests that no HTTP client would send.
import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the bytes and reads until the server closes, or one whole response with a Content-Length has come. */
export function sendRaw(httpUrl: string, bytes: string | Uint8Array): Promise<RawResponse> {
  const { hostname, port } = new URL(httpUrl);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("latin1");
    const finish = () => {
      const response = parse(text);
      if (response === undefined) reject(new Error(`no response: ${JSON.stringify(text)}`));
      else resolve(response);
      socket.destroy();
    };
    socket.on("data", (chunk: string) => {
      text += chunk;
      const response = parse(text);
      if (response !== undefined && response.body.length >= Number(response.headers.get("content-length"))) finish();
    });
    socket.on("end", finish);
    socket.on("error", () => (text === "" ? reject(new Error("connection refused or reset")) : finish()));
  });
}

function parse(text: string): RawResponse | undefined {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end < 0 || Number.isNaN(status)) return undefined;
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status, headers, body: text.slice(end + 4) };
}
