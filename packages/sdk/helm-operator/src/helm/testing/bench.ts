import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { configMaps, jobs, secrets } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { createObjectClient } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { expect } from "vitest";
import { releaseHistory } from "../../release/release-history.ts";
import { releaseState } from "../../release/release-state.ts";
import { createHelm, type HelmOptions } from "../create-helm.ts";
import type { Helm } from "../helm.ts";
import { HelmError } from "../helm-error.ts";

/** A cluster, a helm, and charts in a folder, for all tests of a file. */
export interface HelmBench {
  readonly cluster: TestCluster;
  readonly path: string;
  /** Writes the cluster's kubeconfig. @returns its path */
  kubeconfig(): Promise<string>;
  /** Runs helm as a person would, in the same namespace. */
  byHand(...args: string[]): Promise<void>;
  /** Returns a helm that `stop` disposes of. */
  helm(options?: Partial<HelmOptions>): Helm;
  /** Writes a chart with these files besides Chart.yaml. @returns its path */
  chart(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<string>;
  history(name: string): ReturnType<typeof releaseHistory>;
  state(name: string): Promise<ReturnType<typeof releaseState>>;
  /** The objects in the namespace: "ConfigMap web", "Job hook", "Secret sh.helm.release.v1.web.v1". */
  objects(): Promise<string[]>;
  stop(): Promise<void>;
}

export const namespace = "default";

/** @param path of a helm. Default: the one that is found */
export async function startHelmBench(path?: string): Promise<HelmBench> {
  const cluster = await startTestCluster();
  const folder = await mkdtemp(join(tmpdir(), "helm-charts-"));
  const helmPath = path ?? (await findTool("helm")).path;
  const helms: Helm[] = [];
  const reader = createObjectClient(cluster.client);
  const history = (name: string) => releaseHistory(reader, namespace, name);
  async function kubeconfig(): Promise<string> {
    const file = join(folder, "kubeconfig");
    await writeFile(file, cluster.kubeConfig.exportConfig(), { mode: 0o600 });
    return file;
  }
  return {
    cluster,
    path: helmPath,
    history,
    kubeconfig,
    async byHand(...args) {
      // Without a HOME, helm would write its cache into the working directory.
      const env = { HOME: folder, KUBECONFIG: await kubeconfig(), GOGC: "off" };
      await execa(helmPath, [...args, "--namespace", namespace], { env, extendEnv: false, cwd: folder });
    },
    helm(options = {}) {
      // Short-lived processes need not collect garbage.
      const environment = { GOGC: "off", GOMEMLIMIT: "256MiB" };
      const helm = createHelm({ path: helmPath, kubeconfig: cluster.kubeConfig, environment, ...options });
      helms.push(helm);
      return helm;
    },
    async chart(name, files) {
      const all = { "Chart.yaml": `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`, ...files };
      for (const [file, content] of Object.entries(all)) {
        const target = join(folder, name, file);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, content);
      }
      return join(folder, name);
    },
    async state(name) {
      const [newest, ...older] = await history(name);
      return releaseState(newest, older);
    },
    async objects() {
      const lists = [configMaps, jobs, secrets].map(async (resource) => {
        const { items } = await cluster.client.resource(resource).namespace(namespace).list();
        return items.map(({ metadata }) => `${resource.kind} ${metadata?.name}`);
      });
      const all = (await Promise.all(lists)).flat();
      return all.filter((object) => object !== "ConfigMap kube-root-ca.crt").sort();
    },
    async stop() {
      await Promise.all(helms.map((helm) => helm.dispose()));
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the process of the helm that installs or upgrades that release, and waits for it. The chart must be
 * in a folder of this run alone. Linux only.
 */
export function processOf(name: string, chart: string): Promise<number> {
  return patiently(async () => {
    for (const entry of await readdir("/proc")) {
      if (!/^\d+$/.test(entry)) continue;
      const args = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
      if (args.endsWith(`\0--\0${name}\0${chart}\0`)) return Number(entry);
    }
    throw new Error(`no helm installs or upgrades ${name} with ${chart}`);
  });
}

/** Repeats `look` until it succeeds: processes take their time on a busy machine. */
export function patiently<T>(look: () => T | Promise<T>): Promise<T> {
  return eventually(look, { timeout: 300_000 });
}

/** A chart with a hook that never ends, because no controller runs its Job. `hangs` names the hook. */
export const hanging = {
  "templates/web.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {size: {{ .Values.size | quote }}}\n",
  "templates/hook.yaml": `{{- if .Values.hangs }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: {{ .Values.hangs | quote }}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: waits, image: waits}]}}}
{{- end }}
`,
} as const;

/** Returns the HelmError that a promise rejects with. */
export async function failure(running: Promise<unknown>): Promise<HelmError> {
  const error = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(HelmError);
  return error as HelmError;
}

/** A chart that renders or fails as its values ask. */
export const shopChart: Readonly<Record<string, string>> = {
  "values.yaml": "size: 1\n",
  "values.schema.json": JSON.stringify({ properties: { size: { type: "integer", minimum: 0 } } }),
  "templates/NOTES.txt": "It is there, {{ .Values.size }} large.",
  "templates/test.yaml":
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations: {helm.sh/hook: test}\n",
  "templates/shop.yaml": [
    ...["apiVersion: v1", "kind: ConfigMap", "metadata:", "  name: {{ .Release.Name }}", "data:"],
    "  size: {{ .Values.size | quote }}",
    '  seen: {{ lookup "v1" "Namespace" "" "default" | toString | quote }}',
    "  {{- if .Values.owner }}",
    '  owner: {{ required "owner.name: say whose shop it is" .Values.owner.name }}',
    "  {{- end }}",
    "  {{- with .Values.failure }}",
    "  {{ fail . }}",
    "  {{- end }}",
    "  {{- if .Values.deep }}",
    "  deep: {{ .Values.a.b.c }}",
    "  {{- end }}",
    "  {{- if .Values.badYaml }}",
    " no: [",
    "  {{- end }}",
    "{{- if .Values.ownKind }}",
    "---",
    "{apiVersion: example.com/v1, kind: Shop, metadata: {name: mine}}",
    "{{- end }}",
  ].join("\n"),
};
