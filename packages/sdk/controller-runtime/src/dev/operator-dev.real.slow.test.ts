import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mutatingWebhookConfigurations } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { memcached, memcachedDefinition, memcacheds } from "../controller/testing/memcached.ts";
import { startDevSession } from "./testing/dev-session.ts";
import { colourModule, createOperatorProject } from "./testing/operator-project.ts";

const programs = await findControlPlane({ controllerManager: false, mayBuild: false }).catch(() => undefined);

test.skipIf(!programs)(
  "no webhook call of a real kube-apiserver fails while operators are replaced",
  async () => {
    const cluster = await startTestCluster({ provider: "envtest", crds: [memcachedDefinition] });
    onTestFinished(() => cluster.stop());
    const project = createOperatorProject();
    onTestFinished(project.remove);
    const kubeconfig = join(project.folder, "kubeconfig");
    writeFileSync(kubeconfig, cluster.kubeConfig.exportConfig(), { mode: 0o600 });
    const configurations = cluster.client.resource(mutatingWebhookConfigurations);
    const webhook = (port: number) => ({
      ...{
        name: "dev.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        // Allows for a busy machine.
        timeoutSeconds: 30,
      },
      clientConfig: { url: `https://127.0.0.1:${port}/mutate-cache-example-com-v1alpha1-memcached` },
      rules: [
        {
          ...{ apiGroups: ["cache.example.com"], apiVersions: ["v1alpha1"], resources: ["memcacheds"] },
          operations: ["CREATE"],
        },
      ],
    });
    await configurations.create({ metadata: { name: "dev" }, webhooks: [webhook(1)] });
    const session = startDevSession(project.folder, ["--grace", "3600", "src/main.ts"], {
      KUBECONFIG: kubeconfig,
    });
    onTestFinished(async () => {
      session.child.kill("SIGTERM");
      await session.ended;
    });
    await session.says("started in");
    await session.says("RUNS");
    const [running] = session.running();
    const { webhooks } = await configurations.get("dev");
    const { caBundle } = webhooks?.[0]?.clientConfig ?? {};
    const url = webhook(running?.webhook ?? 0).clientConfig.url;
    await configurations.patch("dev", [{ op: "replace", path: "/webhooks/0/clientConfig/url", value: url }], {
      type: "json",
    });

    const api = cluster.client.resource(memcacheds).namespace("default");
    const call = async () => {
      const { metadata } = await api.create(memcached("call"), { dryRun: true });
      return metadata?.annotations?.colour;
    };
    // The API server has received the change by then.
    await vi.waitFor(async () => expect(await call()).toBe("red"));
    // Enough to meet a caller that connects just as its operator ends.
    const colours = Array.from({ length: 20 }, (_, index) => `colour-${index}`);
    for (const [index, colour] of colours.entries()) {
      project.save("src/colour.ts", colourModule(colour));
      await Promise.all(
        [1, 2, 3].map(async () => {
          while ((await call()) !== colour);
        }),
      );
      await session.says("restarted in", index + 1);
      await session.says("RUNS", index + 2);
    }
    expect(session.running()).toHaveLength(1 + colours.length);
    expect((await configurations.get("dev")).webhooks?.[0]?.clientConfig.caBundle).toBe(caBundle);
  },
  600_000,
);
