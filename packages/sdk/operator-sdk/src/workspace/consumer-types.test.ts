import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { extract } from "tar";
import { expect, onTestFinished, test } from "vitest";
import { packPackages } from "./pack-packages.ts";

const root = join(import.meta.dirname, "../../../../..");
const scope = "@operator-path/";

const program = `
import { type Deployment, deployments, type KubeObject, loadKubeConfig, type Quantity } from "@operator-path/client";
import type { ResourceRequirements } from "@operator-path/controller-gen/types";
import {
  type Client, createManager, newControllerManagedBy, type Request, type Result, setControllerReference,
} from "@operator-path/controller-runtime";
import { checkRoundTrip, createFakeClient } from "@operator-path/controller-runtime/testing";
import { createHelm } from "@operator-path/helm-operator";
import { createInformerFactory } from "@operator-path/informers";

// With exactOptionalPropertyTypes, optional values can be passed on without a check.
export function deploymentFor(owner: KubeObject, memory?: Quantity): Deployment {
  const resources: ResourceRequirements = { limits: memory === undefined ? undefined : { memory } };
  return {
    metadata: { name: owner.metadata?.name, namespace: owner.metadata?.namespace, labels: owner.metadata?.labels },
    spec: {
      replicas: undefined,
      selector: { matchLabels: owner.metadata?.labels },
      template: { spec: { containers: [{ name: "a", resources }] } },
    },
  };
}

export async function reconcile(client: Client, request: Request, signal?: AbortSignal): Promise<Result> {
  const found = await client.get(deployments, request, { signal });
  const wanted = deploymentFor(found);
  setControllerReference(found, wanted, { blockOwnerDeletion: undefined });
  await client.update(wanted, { fieldManager: undefined, signal });
  await client.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: wanted.metadata, spec: wanted.spec });
  // @ts-expect-error: replicaz
  await client.create({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicaz: 3 } });
  return { requeueAfter: found.spec?.replicas };
}

export { checkRoundTrip, createFakeClient, createInformerFactory, createManager, loadKubeConfig, newControllerManagedBy, createHelm };
`;

test("programs outside the workspace compile with exactOptionalPropertyTypes and without skipLibCheck", async () => {
  const folder = mkdtempSync(join(tmpdir(), "consumer-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const names = ["client", "informers", "controller-runtime", "helm-operator", "controller-gen"];
  for (const { name, tarball, importer } of await packPackages({
    root,
    names: names.map((name) => scope + name),
  })) {
    const cwd = join(folder, "node_modules", name);
    mkdirSync(cwd, { recursive: true });
    await extract({ file: tarball, cwd, strip: 1 });
    const { dependencies = {} } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    const foreign = Object.keys(dependencies).filter((dependency) => !dependency.startsWith(scope));
    for (const dependency of foreign) {
      const link = join(cwd, "node_modules", dependency);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(realpathSync(join(root, importer, "node_modules", dependency)), link);
    }
  }
  mkdirSync(join(folder, "node_modules/@types"));
  const nodeTypes = realpathSync(join(root, "node_modules/@types/node"));
  symlinkSync(nodeTypes, join(folder, "node_modules/@types/node"));
  const compilerOptions = {
    ...{ target: "ES2024", lib: ["ES2024", "ESNext.Disposable"], module: "NodeNext", types: ["node"] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ skipLibCheck: false, noEmit: true },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  writeFileSync(join(folder, "program.ts"), program);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await execa(process.execPath, [compiler, "-p", folder, "--checkers", "1"], {
    reject: false,
  });
  expect(stdout).toBe("");
});
