import { readFileSync } from "node:fs";
import { createTransport, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { startTestCluster } from "@operator-path/cluster/testing";
import { eventually } from "@operator-path/controller-runtime/testing";
import { trackCollections } from "@operator-path/faults";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { pod, tool } from "./testing/objects.ts";

// What the operator keeps between reconciles must not grow with the objects that it has ever seen.

/** Of both versions' folders. The versions are imported afterwards, so that their modules' collections count, too. */
const kept = trackCollections(new URL("../podbuggertool", import.meta.url));
const { versions } = await import("./testing/versions.ts");

afterAll(() => kept[Symbol.dispose]());

test.each(versions)("%s: nothing is kept of 100 Pods and their tool that came and went", async (_, start) => {
  vi.spyOn(console, "log").mockReturnValue();
  const crd = parse(readFileSync(new URL("../podbuggertool/crd.yaml", import.meta.url), "utf8"));
  await using cluster = await startTestCluster({ crds: [crd] });
  const namespace = await cluster.namespace();
  // There is no controller that makes one, and no Pod without.
  await cluster.client.resource(serviceAccounts).create({ metadata: { name: "default", namespace } });
  const clock = createFakeClock();
  const operator = await start({
    ...{ kubeConfig: cluster.kubeConfig, transport: createTransport(cluster.kubeConfig), clock, namespace },
  });
  onTestFinished(() => operator.stop());
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  const tools = cluster.client.resource(podbuggertools).namespace(namespace);

  const names = Array.from({ length: 100 }, (_, i) => `one-${i}`);
  const before = { size: await kept.size(), timers: clock.pending() };
  await tools.create({ metadata: { name: "tool" }, spec: tool.spec });
  await Promise.all(
    names.map((name) =>
      inNamespace.create({
        metadata: { name, labels: { app: "payment" } },
        spec: pod(name).spec as Pod["spec"],
      }),
    ),
  );
  // None of the Pods becomes ready, as there is no node: the operator waits for each.
  await eventually(async () => expect(await kept.size()).toBe(before.size + names.length));
  await Promise.all(names.map((name) => inNamespace.delete(name, { gracePeriodSeconds: 0 })));
  await tools.delete("tool");
  await eventually(async () => {
    await clock.advance(600_000);
    expect({ size: await kept.size(), timers: clock.pending() }).toEqual(before);
  });
});
