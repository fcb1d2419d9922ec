import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { dirname } from "node:path";
import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { startEgressProxy } from "./egress-proxy.ts";
import { createPodNetwork } from "./pod-network.ts";

async function start() {
  const proxy = await startEgressProxy();
  let stopped = false;
  const stop = async () => {
    if (!stopped) await proxy.stop();
    stopped = true;
  };
  onTestFinished(stop);
  const socketPath: string = JSON.parse(proxy.configuration).egressSelections[0].connection.transport.uds
    .udsName;
  const connect = async (path: string): Promise<[IncomingMessage, Duplex]> => {
    const outgoing = request({ socketPath, method: "CONNECT", path }).end();
    const [answer, socket] = await once(outgoing, "connect");
    return [answer, socket];
  };
  return { ...proxy, stop, socketPath, connect };
}

test("leads into the network once it is set", async () => {
  const { connect, use } = await start();
  expect((await connect("10.244.0.2:80"))[0].statusCode).toBe(502);
  const network = createPodNetwork();
  network.attach("10.244.0.2").listen(80, { accept: (connection) => void connection.pipe(connection) });
  use(network);
  const [answer, socket] = await connect("10.244.0.2:80");
  expect(answer.statusCode).toBe(200);
  socket.end("round trip");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "end");
  expect(text).toBe("round trip");
  for (const nowhere of ["10.244.0.2:81", "example.com:80", "localhost:1", "nonsense"])
    expect((await connect(nowhere))[0].statusCode).toBe(502);
});

test("accepts only this user and only CONNECT, and leaves nothing behind", async () => {
  const { socketPath, stop } = await start();
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(socketPath))).mode & 0o777).toBe(0o700);
  const [answer] = await once(request({ socketPath, path: "http://10.244.0.2/" }).end(), "response");
  expect(answer.statusCode).toBe(405);
  answer.resume();
  await stop();
  await expect(stat(dirname(socketPath))).rejects.toMatchObject({ code: "ENOENT" });
});
