import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import {
  createClient,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { installMemcached, memcached, memcacheds } from "../controller/testing/memcached.ts";

const root = join(import.meta.dirname, "../..");

test("the README's webhooks answer behind their Service with a certificate of their own", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, example = ""] =
    /<!-- runs in src\/webhook\/readme.test.ts -->\n```ts\n(.*?)```/s.exec(readme) ?? [];
  const listening = Promise.withResolvers<number>();
  const asked: string[] = [];
  const server = await startApiServer({
    async resolveService(namespace, name, port) {
      asked.push(`${namespace}/${name}:${port}`);
      return { host: "127.0.0.1", port: await listening.promise };
    },
  });
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  await installMemcached(connection);
  const webhookAt = (path: string) => ({
    ...{ name: "memcached.example.com", admissionReviewVersions: ["v1"], sideEffects: "None" },
    clientConfig: { service: { namespace: "default", name: "memcached-webhook", path } },
    rules: [
      {
        ...{ apiGroups: ["cache.example.com"], apiVersions: ["v1alpha1"], resources: ["memcacheds"] },
        operations: ["CREATE", "UPDATE"],
      },
    ],
  });
  const metadata = { name: "memcached" };
  await connection
    .resource(mutatingWebhookConfigurations)
    .create({ metadata, webhooks: [webhookAt("/mutate-cache-example-com-v1alpha1-memcached")] });
  await connection
    .resource(validatingWebhookConfigurations)
    .create({ metadata, webhooks: [webhookAt("/validate-cache-example-com-v1alpha1-memcached")] });

  const folder = mkdtempSync(join(tmpdir(), "webhooks-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfigYaml(), { mode: 0o600 });
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig, WEBHOOK_PORT: "0" } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (text) => {
    log += text;
    const [, port] = /"port":(\d+),.*"msg":"Serving webhook server"/.exec(log) ?? [];
    if (port) listening.resolve(Number(port));
  });
  const exited = new Promise((resolve) => child.on("close", (...how) => resolve(how)));
  exited.then(() => listening.reject(new Error(`the example has ended: ${log}`)));
  await listening.promise;

  const api = connection.resource(memcacheds).namespace("default");
  const bare = { ...memcached("sample"), spec: {} };
  const made = await vi.waitFor(() => api.create(bare));
  expect(made.spec).toEqual({ size: 1 });
  expect(new Set(asked)).toEqual(new Set(["default/memcached-webhook:443"]));
  await expect(api.update({ ...made, spec: { size: 2 } })).rejects.toMatchObject({
    ...{ code: 422, reason: "Invalid" },
    message:
      'admission webhook "memcached.example.com" denied the request: Memcached.cache.example.com "sample" is invalid: spec.size: Invalid value: 2: must be odd',
    status: {
      details: {
        causes: [
          { reason: "FieldValueInvalid", message: "Invalid value: 2: must be odd", field: "spec.size" },
        ],
      },
    },
  });
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
  expect(lines.at(-1).msg).toBe("Manager stopped");
});
