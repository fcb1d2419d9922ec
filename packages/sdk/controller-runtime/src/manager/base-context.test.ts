import { AsyncLocalStorage } from "node:async_hooks";
import { startApiServer } from "@operator-path/apiserver";
import { configMaps, createClient, validatingWebhookConfigurations } from "@operator-path/client";
import { createAuthority } from "@operator-path/client/certificates";
import { expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { handlerFuncs } from "../handler/event-handler.ts";
import { createLogger } from "../log/create-logger.ts";
import { scrape } from "../metrics/testing/scrape.ts";
import { channelSource, createChannel } from "../source/channel.ts";
import { admissionWebhook } from "../webhook/admission/admission-webhook.ts";
import { allowed } from "../webhook/admission/response.ts";
import { createManager } from "./create-manager.ts";

const until = (check: () => unknown) => vi.waitFor(check);

test("everything that the manager calls runs in the async context of start (Go: BaseContext)", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  const settings = connection.resource(configMaps).namespace("default");
  await settings.create({ metadata: { name: "before" } });

  const tenant = new AsyncLocalStorage<string>();
  const seen = new Map<string, Set<string | undefined>>();
  const see = (where: string) => {
    seen.set(where, (seen.get(where) ?? new Set()).add(tenant.getStore()));
  };
  const authority = createAuthority("test", Date.now(), 3_600_000);
  const manager = createManager(server.kubeConfig(), {
    logger: createLogger({ level: "error" }),
    leaderElection: { id: "base-context", namespace: "default" },
    healthProbeBindAddress: "127.0.0.1:0",
    webhookServer: {
      host: "127.0.0.1",
      port: 0,
      certificates: {
        async start(_, onCertificate) {
          onCertificate(authority.issueServing(["127.0.0.1"], Date.now(), 3_600_000));
        },
      },
    },
  });
  manager.add({
    async start() {
      see("runnable");
    },
  });
  manager.addHealthzCheck("own", () => see("check"));
  manager.webhookServer.register(
    "/validate",
    admissionWebhook(
      () => {
        see("webhook");
        return allowed();
      },
      { log: manager.log },
    ),
  );
  const channel = createChannel<object>();
  newControllerManagedBy(manager)
    .for(configMaps, {
      predicates: [
        () => {
          see("predicate");
          return true;
        },
      ],
    })
    .watchesRawSource(
      channelSource(
        channel,
        handlerFuncs({
          generic: (_, queue) => {
            see("handler");
            queue.add({ namespace: "default", name: "sent" });
          },
        }),
      ),
    )
    .complete(async ({ name }, { cause }) => {
      see(`reconcile of ${cause.trigger}`);
      if (name === "before" && cause.trigger === "initialList") {
        await manager.client.get(configMaps, { namespace: "default", name });
        see("reconcile, after a request");
        return { requeueAfter: 1 };
      }
      return;
    });
  const stop = new AbortController();
  const running = tenant.run("blue", () => manager.start(stop.signal));
  await manager.elected;

  // From here on others call, in their own context.
  await tenant.run("red", async () => {
    await until(() => expect([...seen.keys()]).toContain("reconcile of requeueAfter"));
    const port = manager.webhookServer.port();
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
    await connection.resource(validatingWebhookConfigurations).create({
      metadata: { name: "own" },
      webhooks: [
        {
          ...{ name: "own.example.com", admissionReviewVersions: ["v1"], sideEffects: "None", rules: [rule] },
          clientConfig: {
            url: `https://127.0.0.1:${port}/validate`,
            caBundle: Buffer.from(authority.certificate).toString("base64"),
          },
        },
      ],
    });
    await settings.create({ metadata: { name: "after" } });
    channel.send({ metadata: { name: "sent" } });
    await scrape(`http://${manager.healthProbeAddress()}/healthz`);
    const others = ["reconcile of added", "reconcile of generic", "webhook", "check"];
    await until(() => expect([...seen.keys()]).toEqual(expect.arrayContaining(others)));
  });
  stop.abort();
  await running;
  expect(Object.fromEntries([...seen].map(([where, stores]) => [where, [...stores]]))).toEqual(
    Object.fromEntries([...seen.keys()].map((where) => [where, ["blue"]])),
  );
});
