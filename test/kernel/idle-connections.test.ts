// Idle connections are bounded by network: the one that has been idle the longest makes room, and none that works.
import { expect, test } from "vitest";
import { IdleConnections } from "../../src/transport/http/idle-connections.ts";

interface Connection {
  readonly name: string;
}

function bounded(max: number) {
  const closed: string[] = [];
  const idle = new IdleConnections<Connection>(({ name }) => void closed.push(name), max);
  const open = (name: string, address = "192.0.2.1") => {
    const connection = { name };
    idle.open(connection, address);
    return connection;
  };
  return { idle, open, closed };
}

test("as many as there may be are left alone, and one more closes the one that has been idle the longest", () => {
  const { open, closed } = bounded(2);
  open("first");
  open("second");
  expect(closed).toEqual([]);
  open("third");
  open("fourth");
  expect(closed).toEqual(["first", "second"]);
});

test("a connection that works is never closed, and counts as the youngest when it rests again", () => {
  const { idle, open, closed } = bounded(2);
  const first = open("first");
  open("second");
  idle.work(first);
  open("third");
  expect(closed).toEqual([]);
  idle.rest(first);
  expect(closed).toEqual(["second"]);
});

test("one that has ended takes no room, and does not come back", () => {
  const { idle, open, closed } = bounded(1);
  const first = open("first");
  idle.end(first);
  idle.rest(first);
  open("second");
  expect(closed).toEqual([]);
});

test("networks do not take each other's room, and addresses of one network share it", () => {
  const { open, closed } = bounded(1);
  open("a", "2001:db8::5:a:b:c:d");
  open("b", "2001:db8:0:1::1");
  open("c", "198.51.100.7");
  expect(closed).toEqual([]);
  open("d", "2001:db8::5:1:2:3:4");
  expect(closed).toEqual(["a"]);
});
