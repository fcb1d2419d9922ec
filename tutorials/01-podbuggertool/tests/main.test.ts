import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, createTransport, events, type Pod, pods } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { serveTransport } from "@operator-path/faults";
import { expect, onTestFinished, test } from "vitest";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { pod, tool } from "./testing/objects.ts";
import { versions } from "./testing/versions.ts";

// main.ts, in a process of its own.

test.each(versions)(
  "%s: after SIGTERM it writes its last Event, and exits by itself",
  async (_, __, folder) => {
    const project = join(import.meta.dirname, "..", folder);
    await using cluster = await startTestCluster({ crds: [join(project, "crd.yaml")], controllers: true });
    const namespace = await cluster.namespace();

    // The signal arrives while the first Event is still waiting: the server does not take it at once.
    let refused = 0;
    const real = createTransport(cluster.kubeConfig);
    const server = await serveTransport({
      ...real,
      async request(request) {
        if (request.method === "POST" && request.path.endsWith("/events") && refused++ === 0) {
          operator.kill("SIGTERM");
          throw new ApiError({ code: 503, reason: "ServiceUnavailable", message: "try again later" });
        }
        return real.request(request);
      },
    });
    onTestFinished(async () => {
      await server.close();
      await real.close();
    });
    const kubeConfig = join(mkdtempSync(join(tmpdir(), "main-")), "config");
    onTestFinished(() => rmSync(join(kubeConfig, ".."), { recursive: true }));
    writeFileSync(kubeConfig, server.kubeConfig.exportConfig());
    const operator = spawn(process.execPath, ["--conditions=@operator-path/source", "src/main.ts"], {
      ...{ cwd: project, stdio: "ignore" },
      env: { ...process.env, KUBECONFIG: kubeConfig },
    });
    onTestFinished(() => void operator.kill("SIGKILL"));
    const exit = once(operator, "exit");

    const spec = pod("one").spec as Pod["spec"];
    await cluster.client
      .resource(pods)
      .create({ metadata: { name: "one", namespace, labels: { app: "payment" } }, spec });
    await cluster.client
      .resource(podbuggertools)
      .create({ metadata: { name: "tool", namespace }, spec: tool.spec });
    expect(await exit).toEqual([0, null]);
    const { items } = await cluster.client
      .resource(events)
      .namespace(namespace)
      .list({ fieldSelector: "reason=ToolInstalled" });
    expect(items.map(({ message }) => message)).toEqual(["Added ephemeral-busybox for tool"]);
  },
);
