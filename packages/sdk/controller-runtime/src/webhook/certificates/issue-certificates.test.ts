import {
  type Client as Connection,
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  type Secret,
  secrets,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { createAuthority, type KeyPair } from "@operator-path/client/certificates";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { createObjectClient } from "../../client/create-client.ts";
import type { Reader } from "../../client/reader.ts";
import { installMemcached } from "../../controller/testing/memcached.ts";
import { recordingLogger, startCluster, until } from "../testing/webhook-bench.ts";
import { type IssueCertificatesOptions, issueCertificates } from "./issue-certificates.ts";

const day = 24 * 3_600_000;
const secret = { namespace: "default", name: "webhook-certificates" };
const options: IssueCertificatesOptions = {
  secret,
  service: { name: "hook" },
  inject: {
    mutatingWebhookConfigurations: ["hook"],
    validatingWebhookConfigurations: ["hook", "not-there"],
    customResourceDefinitions: ["memcacheds.cache.example.com"],
  },
};

/** A replica that collects its certificates. */
async function startReplica(
  connection: Connection,
  {
    clock = createFakeClock(),
    readerOn = (client) => client,
    ...more
  }: Partial<IssueCertificatesOptions> & {
    clock?: ReturnType<typeof createFakeClock>;
    readerOn?: (client: Reader) => Reader;
  } = {},
) {
  const writer = createObjectClient(connection);
  const { log, lines } = recordingLogger();
  const source = issueCertificates({ ...options, ...more }, { reader: readerOn(writer), writer, clock, log });
  const served: KeyPair[] = [];
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort(new Error("the test is over"));
    await source.ended?.();
  });
  await source.start(stop.signal, (pair) => served.push(pair));
  return { served, lines, clock };
}

const stored = async (connection: Connection): Promise<Record<string, string>> => {
  const { data = {} } = await connection.resource(secrets).namespace("default").get(secret.name);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );
};

const webhook = (name: string) => ({
  ...{ name, admissionReviewVersions: ["v1"], sideEffects: "None", failurePolicy: "Ignore", rules: [] },
  clientConfig: { service: { namespace: "default", name: "hook", path: "/x" } },
});

async function bundles(connection: Connection): Promise<(string | undefined)[]> {
  const mutating = await connection.resource(mutatingWebhookConfigurations).get("hook");
  const validating = await connection.resource(validatingWebhookConfigurations).get("hook");
  const definition = await connection.resource(customResourceDefinitions).get("memcacheds.cache.example.com");
  return [
    ...(mutating.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle),
    ...(validating.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle),
    definition.spec.conversion?.webhook?.clientConfig?.caBundle,
  ].map((each) => each && Buffer.from(each, "base64").toString());
}

async function installTargets(connection: Connection): Promise<void> {
  await installMemcached(connection);
  const clientConfig = { service: { namespace: "default", name: "hook", path: "/convert" } };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  await connection
    .resource(customResourceDefinitions)
    .patch("memcacheds.cache.example.com", { spec: { conversion } }, { type: "merge" });
  await connection.resource(mutatingWebhookConfigurations).create({
    metadata: { name: "hook" },
    webhooks: [webhook("a.example.com"), webhook("b.example.com")],
  });
  await connection
    .resource(validatingWebhookConfigurations)
    .create({ metadata: { name: "hook" }, webhooks: [webhook("c.example.com")] });
}

test("concurrent replicas serve one certificate, and all objects trust its authority", async () => {
  const connection = await startCluster();
  await installTargets(connection);
  // Each has read before any has written.
  let looked = 0;
  const all = Promise.withResolvers<void>();
  const together = (client: Reader): Reader => ({
    ...client,
    async get(resource, key, getOptions) {
      try {
        return await client.get(resource, key, getOptions);
      } finally {
        looked += 1;
        if (looked === 4) all.resolve();
        await all.promise;
      }
    },
  });
  const replicas = await Promise.all(
    [1, 2, 3, 4].map(() => startReplica(connection, { readerOn: together })),
  );
  const data = await stored(connection);
  for (const { served } of replicas) {
    expect(served.at(-1)).toEqual({ certificate: data["tls.crt"], privateKey: data["tls.key"] });
  }
  expect(await bundles(connection)).toEqual([data["ca.crt"], data["ca.crt"], data["ca.crt"], data["ca.crt"]]);
  const { type } = await connection.resource(secrets).namespace("default").get(secret.name);
  expect(type).toBe("kubernetes.io/tls");
});

test("writes nothing when nothing is due, and restores what was reset", async () => {
  const connection = await startCluster();
  await installTargets(connection);
  const { clock, served } = await startReplica(connection);
  const versions = async () => [
    (await connection.resource(secrets).namespace("default").get(secret.name)).metadata?.resourceVersion,
    (await connection.resource(mutatingWebhookConfigurations).get("hook")).metadata?.resourceVersion,
  ];
  const before = await versions();
  const { "ca.crt": bundle } = await stored(connection);
  for (let looks = 0; looks < 5; looks++) await look(clock);
  expect(await versions()).toEqual(before);

  const configurations = connection.resource(mutatingWebhookConfigurations);
  const current = await configurations.get("hook");
  await configurations.update({ ...current, webhooks: [webhook("z.example.com"), webhook("a.example.com")] });
  await connection.resource(secrets).namespace("default").delete(secret.name);
  await until(async () => {
    await look(clock);
    expect(await bundles(connection)).toEqual([bundle, bundle, bundle, bundle]);
  });
  // Unchanged: other replicas still serve it.
  expect((await stored(connection))["ca.crt"]).toBe(bundle);
  expect(served).toHaveLength(1);
});

test("renews certificates over the years, and publishes an authority's successor beforehand", async () => {
  const connection = await startCluster();
  await installTargets(connection);
  const { clock, served } = await startReplica(connection, {
    interval: 10 * day,
    lifetimes: { authorityValidity: 2 * 365 * day, authorityRenewBefore: 180 * day, propagation: day },
  });
  const authorities = new Set<string>();
  for (let passed = 0; passed < 5 * 365; passed += 10) {
    const knownBefore = (await bundles(connection))[0];
    await look(clock, 10 * day);
    const data = await stored(connection);
    authorities.add(data["ca.key"] ?? "");
    for (const each of await bundles(connection)) expect(each).toBe(data["ca.crt"]);
    // A signing authority was published at least ten days ago.
    const [signing = ""] = (data["ca.crt"] ?? "").split(/(?<=-----END CERTIFICATE-----\n)/);
    expect(knownBefore).toContain(signing);
  }
  expect(authorities.size).toBe(4);
  expect(served.length).toBeGreaterThan(25);
});

test("reports a Secret with a certificate from another source", async () => {
  const connection = await startCluster();
  const { certificate, privateKey } = createAuthority("cert-manager", Date.now(), day);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const api = connection.resource(secrets).namespace("default");
  const foreign: Secret = {
    metadata: { name: secret.name },
    type: "kubernetes.io/tls",
    data: { "tls.crt": base64(certificate), "tls.key": base64(privateKey) },
  };
  await api.create(foreign);
  await expect(startReplica(connection)).rejects.toThrow(
    "the Secret default/webhook-certificates holds a certificate from another source",
  );
});

test.each([
  ["its serving certificate", { "tls.crt": "" }, true],
  ["its authority", { "ca.key": "Pw==", "ca.crt": "Pw==" }, false],
])("a new replica repairs a damaged Secret: %s", async (_what, damage, stays) => {
  const connection = await startCluster();
  await installTargets(connection);
  await startReplica(connection);
  const before = await stored(connection);
  const api = connection.resource(secrets).namespace("default");
  const made = await api.get(secret.name);
  await api.update({ ...made, data: { ...made.data, ...damage } });
  const { served, lines } = await startReplica(connection);
  const after = await stored(connection);
  expect(served).toEqual([{ certificate: after["tls.crt"], privateKey: after["tls.key"] }]);
  expect(after["ca.crt"] === before["ca.crt"]).toBe(stays);
  for (const each of await bundles(connection)) expect(each).toBe(after["ca.crt"]);
  expect(lines.join()).toContain("of the Secret default/webhook-certificates cannot be read");
});

test("keeps the served certificate trusted while the Secret cannot be used", async () => {
  const connection = await startCluster();
  await installTargets(connection);
  const { clock } = await startReplica(connection);
  const { "ca.crt": bundle } = await stored(connection);
  const api = connection.resource(secrets).namespace("default");
  const made = await api.get(secret.name);
  const { "ca.key": _key, ...data } = made.data ?? {};
  await api.update({ ...made, data });
  const configurations = connection.resource(mutatingWebhookConfigurations);
  const current = await configurations.get("hook");
  await configurations.update({ ...current, webhooks: [webhook("a.example.com")] });
  await until(async () => {
    await look(clock);
    expect(await bundles(connection)).toEqual([bundle, bundle, bundle]);
  });
});

test("reports an immutable Secret, and the solution", async () => {
  const connection = await startCluster();
  const api = connection.resource(secrets).namespace("default");
  await api.create({ metadata: { name: secret.name }, immutable: true });
  await expect(startReplica(connection)).rejects.toThrow(
    /^the webhook certificate cannot be shared in the Secret default\/webhook-certificates: .*immutable.*; if it is immutable, delete it$/,
  );
});

test("adds certificates to an existing Secret and keeps its other data", async () => {
  const connection = await startCluster();
  const api = connection.resource(secrets).namespace("default");
  await api.create({ metadata: { name: secret.name, labels: { app: "hook" } }, data: { mine: "eA==" } });
  await startReplica(connection);
  expect(await stored(connection)).toMatchObject({ mine: "x", "tls.crt": expect.stringContaining("BEGIN") });
  expect((await api.get(secret.name)).metadata?.labels).toEqual({ app: "hook" });
});

test("requires a name for the certificate", () => {
  const client = createObjectClient({} as Connection);
  expect(() =>
    issueCertificates(
      { secret },
      { reader: client, writer: client, clock: createFakeClock(), ...recordingLogger() },
    ),
  ).toThrow("set issueCertificates.service, or names");
});

/** Waits until the next check has ended. */
async function look(clock: ReturnType<typeof createFakeClock>, interval = 10_000): Promise<void> {
  await until(() => expect(clock.pending()).toBe(1));
  await clock.advance(interval);
  await until(() => expect(clock.pending()).toBe(1));
}
