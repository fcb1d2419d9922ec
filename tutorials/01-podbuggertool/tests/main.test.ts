import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, createTransport, events, type Pod, pods, type Transport } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { serveTransport } from "@operator-path/faults";
import { expect, onTestFinished, test } from "vitest";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { tool } from "./testing/objects.ts";
import { versions } from "./testing/versions.ts";

// main.ts, in a process of its own. It gets its signal while it writes its first Event.

const timeout = 60_000;

/** Starts main.ts on a cluster where a Pod waits for a tool. `onEvent` answers the requests that write an Event. */
async function startMain(
  folder: string,
  onEvent: (
    operator: ChildProcess,
    send: () => ReturnType<Transport["request"]>,
  ) => ReturnType<Transport["request"]>,
) {
  const project = join(import.meta.dirname, "..", folder);
  const cluster = await startTestCluster({ crds: [join(project, "crd.yaml")], controllers: true });
  const real = createTransport(cluster.kubeConfig);
  const server = await serveTransport({
    ...real,
    request(request) {
      const send = () => real.request(request);
      const writesEvent = request.method === "POST" && request.path.endsWith("/events");
      return writesEvent ? onEvent(operator, send) : send();
    },
  });
  const home = mkdtempSync(join(tmpdir(), "main-"));
  const kubeConfig = join(home, "config");
  writeFileSync(kubeConfig, server.kubeConfig.exportConfig());
  const operator = spawn(process.execPath, ["--conditions=@operator-path/source", "src/main.ts"], {
    ...{ cwd: project, stdio: "ignore" },
    env: { ...process.env, KUBECONFIG: kubeConfig },
  });
  const exit = once(operator, "exit");
  onTestFinished(async () => {
    operator.kill("SIGKILL");
    await server.close();
    await real.close();
    await cluster.stop();
    rmSync(home, { recursive: true });
  });

  const namespace = await cluster.namespace();
  const metadata = { name: "one", namespace };
  const spec: Pod["spec"] = { containers: [{ name: "main", image: "payment:1.0.0" }] };
  await cluster.client.resource(pods).create({ metadata: { ...metadata, labels: { app: "payment" } }, spec });
  await cluster.client.resource(podbuggertools).create({ metadata, spec: tool.spec });
  return { cluster, namespace, exit };
}

const cases = versions.flatMap(([name, _, folder]) =>
  (["SIGINT", "SIGTERM"] as const).map((signal) => [name, signal, folder] as const),
);
test.each(cases)(
  "%s: after %s it writes its last Event, and exits by itself",
  { timeout },
  async (_, signal, folder) => {
    let refused = 0;
    const { cluster, namespace, exit } = await startMain(folder, (operator, send) => {
      if (refused++ > 0) return send();
      operator.kill(signal);
      throw new ApiError({ code: 503, reason: "ServiceUnavailable", message: "try again later" });
    });
    expect(await exit).toEqual([0, null]);
    const inNamespace = cluster.client.resource(events).namespace(namespace);
    const { items } = await inNamespace.list({ fieldSelector: "reason=ToolInstalled" });
    expect(items.map(({ message }) => message)).toEqual(["Added ephemeral-busybox for one"]);
  },
);

// A Pod has 30 s after SIGTERM. The client gives up a request after 75 s.
test("both exit although the server never answers their last Event", { timeout }, async () => {
  const exits = versions.map(async ([, , folder]) => {
    const { exit } = await startMain(folder, (operator) => {
      operator.kill("SIGTERM");
      return new Promise(() => {});
    });
    return exit;
  });
  expect(await Promise.all(exits)).toEqual([
    [0, null],
    [0, null],
  ]);
});
