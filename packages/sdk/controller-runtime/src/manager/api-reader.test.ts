import { startApiServer } from "@operator-path/apiserver";
import { configMaps, createClient, createTransport, namespaces } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../log/create-logger.ts";
import { createRequestRecorder } from "../testing/recorder/request-recorder.ts";
import { createManager } from "./create-manager.ts";

test("client reads from the configured cache, and apiReader reads anything from the server", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  for (const name of ["cached", "other"]) {
    await connection.resource(namespaces).create({ metadata: { name } });
    await connection
      .resource(configMaps)
      .namespace(name)
      .create({ metadata: { name: "settings" } });
  }
  const recorder = createRequestRecorder(createTransport(server.kubeConfig()));
  const manager = createManager(server.kubeConfig(), {
    ...{ cache: { namespaces: ["cached"] }, logger: createLogger({ level: "error" }) },
    transport: recorder.transport,
  });
  const { client, apiReader } = manager;
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.elected;
  const asked = async (read: () => Promise<unknown>) => {
    const before = recorder.requests.length;
    await read();
    return recorder.requests.slice(before).map(({ verb, namespace }) => `${verb} ${namespace}`);
  };
  const cached = { namespace: "cached", name: "settings" };
  const other = { namespace: "other", name: "settings" };
  await client.get(configMaps, cached);
  expect(await asked(() => client.get(configMaps, cached))).toEqual([]);
  expect(await asked(() => apiReader.get(configMaps, cached))).toEqual(["get cached"]);
  await expect(client.get(configMaps, other)).rejects.toThrow("other");
  expect(await asked(() => apiReader.get(configMaps, other))).toEqual(["get other"]);
  stop.abort();
  await running;
});
