import type { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { configMaps, secrets, validatingWebhookConfigurations } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { createObjectClient } from "../../client/create-client.ts";
import { admissionWebhook } from "../admission/admission-webhook.ts";
import { allowed } from "../admission/response.ts";
import { createWebhookServer } from "../server/webhook-server.ts";
import { recordingLogger, startCluster, until } from "../testing/webhook-bench.ts";
import { issueCertificates } from "./issue-certificates.ts";

const minute = 60_000;

/** Returns the served certificate and the signing authority's key. */
function served(port: number): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.on("error", reject);
    socket.on("secureConnect", () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
  });
}

test("an API server's calls succeed while certificates and their authority rotate", async () => {
  const connection = await startCluster();
  const configurations = connection.resource(validatingWebhookConfigurations);
  const client = createObjectClient(connection);
  // Real clients use the real time: everything happens within the hour before their creation in which
  // certificates are valid.
  const clock = createFakeClock(Date.now());
  const { log } = recordingLogger();
  const certificates = issueCertificates(
    {
      secret: { namespace: "default", name: "certificates" },
      names: ["127.0.0.1"],
      inject: { validatingWebhookConfigurations: ["hook"] },
      interval: minute,
      lifetimes: {
        ...{ servingValidity: 20 * minute, servingRenewBefore: 15 * minute },
        ...{ authorityValidity: 60 * minute, authorityRenewBefore: 45 * minute, propagation: 3 * minute },
      },
    },
    { reader: client, writer: client, clock, log },
  );
  const server = createWebhookServer({ host: "127.0.0.1", port: 0, certificates, log });
  server.register(
    "/hook",
    admissionWebhook(() => ({ ...allowed(), warnings: ["seen"] }), { log }),
  );
  const stop = new AbortController();
  const running = server.start(stop.signal);
  onTestFinished(async () => {
    stop.abort(new Error("the test is over"));
    await running;
  });
  await server.ready?.(stop.signal);
  const port = server.port() ?? 0;
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  await configurations.create({
    metadata: { name: "hook" },
    webhooks: [
      {
        ...{ name: "hook.example.com", admissionReviewVersions: ["v1"], sideEffects: "None", rules: [rule] },
        ...{ failurePolicy: "Fail", clientConfig: { url: `https://127.0.0.1:${port}/hook` } },
      },
    ],
  });
  const ask = () =>
    connection
      .resource(configMaps)
      .namespace("default")
      .create({ metadata: { generateName: "a-" } }, { dryRun: true });
  await expect(ask()).rejects.toThrow("failed calling webhook");
  await look(clock);
  await ask();

  let going = true;
  let asked = 0;
  const failures: unknown[] = [];
  const asking = [1, 2].map(async () => {
    while (going) {
      await ask().catch((error: unknown) => failures.push(error));
      asked += 1;
    }
  });
  onTestFinished(async () => {
    going = false;
    await Promise.all(asking);
  });
  const serials = new Set<string>();
  const authorities = new Set<string>();
  for (let minutes = 0; minutes < 55; minutes++) {
    const before = asked;
    await look(clock);
    const certificate = await served(port);
    serials.add(certificate?.serialNumber ?? "");
    const secret = await connection.resource(secrets).namespace("default").get("certificates");
    authorities.add(secret.data?.["ca.key"] ?? "");
    // Some calls in each state.
    await until(() => expect(asked).toBeGreaterThan(before));
  }
  going = false;
  await Promise.all(asking);
  expect(failures).toEqual([]);
  expect(authorities.size).toBe(4);
  expect(serials.size).toBeGreaterThan(9);
});

/** Waits until the next check has ended. */
async function look(clock: ReturnType<typeof createFakeClock>): Promise<void> {
  await until(() => expect(clock.pending()).toBe(1));
  await clock.advance(minute);
  await until(() => expect(clock.pending()).toBe(1));
}
