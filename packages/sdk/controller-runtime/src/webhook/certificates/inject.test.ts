import { mutatingWebhookConfigurations } from "@operator-path/client";
import { createAuthority } from "@operator-path/client/certificates";
import { expect, test } from "vitest";
import { createObjectClient } from "../../client/create-client.ts";
import type { Reader } from "../../client/reader.ts";
import { recordingLogger, startCluster } from "../testing/webhook-bench.ts";
import { injectBundle } from "./inject.ts";

const targets = { mutatingWebhookConfigurations: ["hook"] };
const webhook = (name: string) => ({
  ...{ name, admissionReviewVersions: ["v1"], sideEffects: "None" },
  clientConfig: { url: `https://127.0.0.1:1/${name.split(".")[0]}` },
});

test("does not write to a list index that has moved in the meantime", async () => {
  const connection = await startCluster();
  const configurations = connection.resource(mutatingWebhookConfigurations);
  const client = createObjectClient(connection);
  const { log, lines } = recordingLogger();
  const bundle = createAuthority("webhooks", Date.now(), 3_600_000).certificate;
  const signal = new AbortController().signal;
  const made = await configurations.create({
    metadata: { name: "hook" },
    webhooks: [webhook("a.example.com"), webhook("b.example.com")],
  });
  const names = async () =>
    (await configurations.get("hook")).webhooks?.map(({ name, clientConfig }) => [
      name,
      clientConfig.caBundle !== undefined,
    ]);
  // Replaces the first webhook between the read and the write.
  const reader: Reader = {
    ...client,
    async get(resource, key, options) {
      const read = await client.get(resource, key, options);
      await configurations.update({
        ...made,
        webhooks: [webhook("c.example.com"), webhook("b.example.com")],
      });
      return read;
    },
  };
  const inject = (from: Reader) =>
    injectBundle({ reader: from, writer: client }, targets, bundle, log, signal);
  expect(await inject(reader)).toBe(false);
  expect(await names()).toEqual([
    ["c.example.com", false],
    ["b.example.com", false],
  ]);
  expect(await inject(client)).toBe(true);
  expect(await names()).toEqual([
    ["c.example.com", true],
    ["b.example.com", true],
  ]);
  // A conflict is not logged.
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["info"]);
});

test("logs a forbidden write, and writes the other objects", async () => {
  const connection = await startCluster();
  const configurations = connection.resource(mutatingWebhookConfigurations);
  const client = createObjectClient(connection);
  const { log, lines } = recordingLogger();
  for (const name of ["hook", "other"]) {
    await configurations.create({ metadata: { name }, webhooks: [webhook("a.example.com")] });
  }
  const writer: typeof client = {
    ...client,
    patch(object, ...rest) {
      if (object.metadata?.name === "hook") return Promise.reject(new Error("forbidden by the test"));
      return client.patch(object, ...rest);
    },
  };
  const both = { mutatingWebhookConfigurations: ["missing", "hook", "other"] };
  const bundle = createAuthority("webhooks", Date.now(), 3_600_000).certificate;
  const signal = new AbortController().signal;
  expect(await injectBundle({ reader: client, writer }, both, bundle, log, signal)).toBe(false);
  expect(lines.filter((line) => JSON.parse(line).level === "error")).toEqual([
    expect.stringContaining('"name":"hook","error":"forbidden by the test"'),
  ]);
  const other = await configurations.get("other");
  expect(other.webhooks?.[0]?.clientConfig.caBundle).toBe(Buffer.from(bundle).toString("base64"));
});
