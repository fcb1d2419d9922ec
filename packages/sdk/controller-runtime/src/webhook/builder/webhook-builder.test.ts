import {
  type Client as Connection,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { expect, test } from "vitest";
import {
  installMemcached,
  type Memcached,
  memcached,
  memcacheds,
} from "../../controller/testing/memcached.ts";
import { type ServedWebhooks, serveWebhooks, startCluster } from "../testing/webhook-bench.ts";
import { newWebhookManagedBy } from "./webhook-builder.ts";

const rules = [
  {
    apiGroups: ["cache.example.com"],
    apiVersions: ["v1alpha1"],
    resources: ["memcacheds"],
    operations: ["CREATE", "UPDATE", "DELETE"],
  },
];
const webhook = {
  name: "memcached.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  rules,
};

async function configure(connection: Connection, served: ServedWebhooks): Promise<void> {
  await connection.resource(mutatingWebhookConfigurations).create({
    metadata: { name: "memcached" },
    webhooks: [
      { ...webhook, clientConfig: served.clientConfig("/mutate-cache-example-com-v1alpha1-memcached") },
    ],
  });
  await connection.resource(validatingWebhookConfigurations).create({
    metadata: { name: "memcached" },
    webhooks: [
      { ...webhook, clientConfig: served.clientConfig("/validate-cache-example-com-v1alpha1-memcached") },
    ],
  });
}

test("serves the webhooks of a kind at controller-gen's paths", async () => {
  const connection = await startCluster();
  await installMemcached(connection);
  const served = await serveWebhooks();
  newWebhookManagedBy(served)
    .for(memcacheds)
    .withDefaulter((object) => {
      object.spec ??= {};
      object.spec.size ??= 3;
    })
    .withValidator({
      validateCreate({ spec }) {
        if ((spec?.size ?? 0) > 9) throw new Error("at most nine");
      },
      validateUpdate(before, after) {
        if ((after.spec?.size ?? 0) < (before.spec?.size ?? 0)) throw new Error("it only grows");
        return [`from ${before.spec?.size} to ${after.spec?.size}`];
      },
      validateDelete({ metadata }) {
        if (metadata?.labels?.keep) throw new Error("it must not be deleted");
      },
    })
    .complete();
  await configure(connection, served);
  const api = connection.resource(memcacheds).namespace("default");
  const bare: Memcached = { ...memcached("sample") };
  delete bare.spec;
  const made = await api.create(bare);
  expect(made.spec).toEqual({ size: 3 });
  const denied = 'admission webhook "memcached.example.com" denied the request:';
  await expect(api.create(memcached("large", 10))).rejects.toMatchObject({
    code: 403,
    reason: "Forbidden",
    message: `${denied} at most nine`,
  });
  await expect(api.update({ ...made, spec: { size: 1 } })).rejects.toThrow(`${denied} it only grows`);
  const labelled = { ...made.metadata, labels: { keep: "yes" } };
  await api.update({ ...made, metadata: labelled });
  await expect(api.delete("sample")).rejects.toThrow(`${denied} it must not be deleted`);
});
