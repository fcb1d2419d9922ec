import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { createPodNetwork } from "./pod-network.ts";

const hello = { http: () => ({ status: 200, headers: { "X-Made": "here" }, body: "hello" }) };

/** Sends a text, closes this direction, and returns what the other end sends. */
async function exchange(connection: Duplex, text: string): Promise<string> {
  let answer = "";
  connection.on("data", (chunk: Buffer) => {
    answer += chunk.toString();
  });
  connection.end(text);
  await once(connection, "end");
  return answer;
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const get = { method: "GET", path: "/", headers: {}, body: "" };

test("a Pod reaches other Pods by address, and itself as localhost and by its name", async () => {
  const network = createPodNetwork();
  const a = network.attach("10.244.0.2", "a");
  const b = network.attach("10.244.1.2", "b");
  a.listen(80, hello);
  for (const host of ["localhost", "127.0.0.1", "a", "10.244.0.2"])
    expect((await a.request(host, 80, get)).body).toBe("hello");
  expect((await b.request("10.244.0.2", 80, get)).body).toBe("hello");
  await expect(b.dial("localhost", 80)).rejects.toMatchObject({
    code: "ECONNREFUSED",
    message: "dial tcp 10.244.1.2:80: connect: connection refused",
  });
  await expect(b.dial("example.com", 80)).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("a simulated server handles several HTTP requests on a connection", async () => {
  const network = createPodNetwork();
  network.attach("10.244.0.2").listen(80, hello);
  const connection = await network.dial("10.244.0.2", 80);
  const requests = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  expect(await exchange(connection, requests)).toBe(
    "HTTP/1.1 200 OK\r\nX-Made: here\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n" +
      "HTTP/1.1 200 OK\r\nX-Made: here\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
  );
  expect(await exchange(await network.dial("10.244.0.2", 80), "nonsense\r\n\r\n")).toContain(
    "400 Bad Request",
  );
});

test("a server sees the address of its client", async () => {
  const network = createPodNetwork();
  const seen: string[] = [];
  network.attach("10.244.0.2").listen(7, {
    accept(connection, from) {
      seen.push(from);
      connection.end();
    },
  });
  const other = network.attach("10.244.0.3");
  await exchange(await other.dial("10.244.0.2", 7), "");
  await exchange(await network.dial("10.244.0.2", 7), "");
  expect(seen).toEqual(["10.244.0.3", "127.0.0.1"]);
});

test("leads a Pod's port to a loopback port of the machine until it is withdrawn", async () => {
  const network = createPodNetwork();
  const pod = network.attach("10.244.0.2");
  const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  const withdraw = pod.expose(7, await listen(echo));
  expect(pod.listens(7)).toBe(true);
  expect(await exchange(await network.dial("10.244.0.2", 7), "round trip")).toBe("round trip");
  const web = createHttpServer((request, response) => response.end(`${request.headers.host}${request.url}`));
  pod.expose(80, await listen(web));
  expect((await pod.request("localhost", 80, { ...get, path: "/x" })).body).toBe("localhost/x");
  withdraw();
  await expect(network.dial("10.244.0.2", 7)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("refuses connections to an exposed port on which no process listens any more", async () => {
  const network = createPodNetwork();
  const pod = network.attach("10.244.0.2");
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  pod.expose(7, port);
  await expect(network.dial("10.244.0.2", 7)).rejects.toThrow(
    "dial tcp 10.244.0.2:7: connect: connection refused",
  );
});

test("breaks connections when their Pod or the process that accepted them ends", async () => {
  const network = createPodNetwork();
  const pod = network.attach("10.244.0.2");
  const listening = pod.listen(7, {});
  const first = await network.dial("10.244.0.2", 7);
  listening.abort();
  await once(first, "close");
  await expect(network.dial("10.244.0.2", 7)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  pod.listen(7, {});
  const second = await network.dial("10.244.0.2", 7);
  pod.detach();
  await once(second, "close");
});
