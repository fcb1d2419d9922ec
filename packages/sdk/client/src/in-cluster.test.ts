import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inClusterConfig } from "./in-cluster.ts";

const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

test("reads a ServiceAccount's files below a root of one's own", () => {
  const root = mkdtempSync(join(tmpdir(), "in-cluster-"));
  const folder = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries({ token: "t", "ca.crt": "ca", namespace: "shop\n" })) {
    writeFileSync(join(folder, file), text);
  }
  const kubeConfig = inClusterConfig({ root, env });
  expect(kubeConfig.getCurrentCluster()).toMatchObject({
    server: "https://10.96.0.1:443",
    caFile: join(folder, "ca.crt"),
  });
  expect(kubeConfig.getContextObject("in-cluster")?.namespace).toBe("shop");
  const fromEnvironment = inClusterConfig({ env: { ...env, OPERATOR_PATH_SERVICE_ACCOUNT_ROOT: root } });
  expect(fromEnvironment.getCurrentCluster()).toEqual(kubeConfig.getCurrentCluster());
  rmSync(root, { recursive: true });
});

test("says what is missing outside of a Pod", () => {
  expect(() => inClusterConfig({ env: {} })).toThrow("KUBERNETES_SERVICE_HOST");
  expect(() => inClusterConfig({ root: "/nowhere", env })).toThrow("/nowhere/var/run/secrets");
});
