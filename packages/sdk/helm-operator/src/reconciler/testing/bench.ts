import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Condition,
  type CustomResourceDefinition,
  createTransport,
  type Deployment,
  defineResource,
  deployments,
  events,
  type KubeObject,
  secrets,
} from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import {
  createLogger,
  createManager,
  createObjectClient,
  type Manager,
} from "@operator-path/controller-runtime";
import { createRequestRecorder, eventually } from "@operator-path/controller-runtime/testing";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { expect, onTestFinished } from "vitest";
import { loadChart } from "../../chart/load-chart.ts";
import { createHelm } from "../../helm/create-helm.ts";
import type { Helm } from "../../helm/helm.ts";
import type { Release } from "../../release/release.ts";
import { releaseHistory } from "../../release/release-history.ts";
import { encodeRelease } from "../../release/testing/releases.ts";
import { addHelmController } from "../add-helm-controller.ts";
import type { HelmControllerOptions } from "../options.ts";
import { webChart, writeChart } from "./charts.ts";

export interface Web extends KubeObject {
  spec?: Record<string, unknown>;
  status?: { conditions?: Condition[]; deployedRelease?: { name: string; manifest: string } };
}

export const webs = defineResource<Web>({
  ...{ group: "example.com", version: "v1", kind: "Web", plural: "webs", namespaced: true },
});

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const webDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "webs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "webs", singular: "web", kind: "Web", listKind: "WebList" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
        subresources: { status: {} },
      },
    ],
  },
};

interface RunningOperator {
  readonly manager: Manager;
  /** "patch deployments shop", "patch webs/status shop": the operator's own writes, without Events. */
  writes(): string[];
  /** The operator's reads and writes, without watches. */
  requests(): string[];
  /** "install", "dry run", …: the processes of helm, in order. */
  readonly processes: readonly string[];
  /** The log at debug level, which has the end of each reconcile. */
  readonly log: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

export interface HelmBench {
  readonly cluster: TestCluster;
  readonly helmPath: string;
  /** The path of a kubeconfig. */
  readonly kubeconfig: string;
  /** Runs helm as a person would. @returns standard output */
  byHand(...args: string[]): Promise<string>;
  /** Starts helm as a person would, and kills it as soon as `look` succeeds. */
  kill(args: string[], look: () => Promise<void>): Promise<void>;
  operator(
    options?: Partial<HelmControllerOptions> & {
      files?: Readonly<Record<string, string>>;
      /** Wraps helm, to change some of its operations. */
      around?: (helm: Helm) => Helm;
    },
  ): Promise<RunningOperator>;
  create(name: string, spec?: Record<string, unknown>, metadata?: KubeObject["metadata"]): Promise<Web>;
  change(name: string, spec: Record<string, unknown>): Promise<Web>;
  get(name: string): Promise<Web>;
  history(name: string): Promise<Release[]>;
  remove(name: string): Promise<void>;
  /** Stores a release as helm would. */
  storeRelease(release: Release): Promise<void>;
  replaceRelease(release: Release): Promise<void>;
  /** As `kubectl scale` does. */
  scale(name: string, replicas: number): Promise<void>;
  /** null removes an annotation. */
  annotate(name: string, annotations: Record<string, string | null>): Promise<void>;
  deployment(name: string): Promise<Deployment>;
  /** "reason message" of the Events about an object. */
  events(name: string): Promise<string[]>;
}

export const namespace = "default";

/** A short-lived helm need not collect garbage: this saves a fifth of the processor time. */
const lighter = { GOGC: "off", GOMEMLIMIT: "256MiB" };

/** An embedded cluster with the kind Web, and a real helm. */
export async function startHelmBench(): Promise<HelmBench> {
  const cluster = await startTestCluster({ crds: [webDefinition] });
  onTestFinished(() => cluster.stop());
  const { path: helmPath } = await findTool("helm");
  const folder = await mkdtemp(join(tmpdir(), "helm-bench-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeConfig.exportConfig(), { mode: 0o600 });
  const api = cluster.client.resource(webs).namespace(namespace);
  const deploymentsApi = cluster.client.resource(deployments).namespace(namespace);
  const secretsApi = cluster.client.resource(secrets).namespace(namespace);

  const env = { HOME: folder, KUBECONFIG: kubeconfig, ...lighter };
  const helm = (args: string[]) => execa(helmPath, args, { env, extendEnv: false, cwd: folder });

  return {
    cluster,
    helmPath,
    kubeconfig,
    async byHand(...args) {
      const { stdout } = await helm(args);
      return stdout;
    },
    async kill(args, look) {
      const running = helm(args);
      const ended = running.catch((error: { signal?: string }) => error.signal);
      await patiently(look);
      running.kill("SIGKILL");
      expect(await ended).toBe("SIGKILL");
    },
    async operator({ files = webChart, around = (helm: Helm) => helm, ...options } = {}) {
      const processes: string[] = [];
      const log: Record<string, unknown>[] = [];
      const { kubeConfig } = cluster;
      const recorder = createRequestRecorder(createTransport(kubeConfig));
      const manager = createManager(kubeConfig, {
        transport: recorder.transport,
        logger: createLogger({
          ...{ level: "debug", format: "json" },
          destination: { write: (line: string) => void log.push(JSON.parse(line)) },
        }),
      });
      const onProcess = (operation: string) => void processes.push(operation);
      const helm = createHelm({
        path: helmPath,
        kubeconfig: kubeConfig,
        grace: 60_000,
        onProcess,
        environment: lighter,
      });
      const chart = options.chart ?? (await loadChart(await writeChart(files)));
      addHelmController(manager, { resource: webs, ...options, chart, helm: around(helm) });
      const end = new AbortController();
      const ended = manager.start(end.signal);
      ended.catch(() => {});
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= (async () => {
          end.abort();
          await ended;
          await helm.dispose();
        })();
        return stopped;
      };
      onTestFinished(() => stop());
      await manager.elected;
      const requests = () =>
        recorder.requests
          .filter(({ verb, resource }) => verb !== "watch" && resource !== "events")
          .map(({ verb, resource, subresource, name }) =>
            [verb, subresource ? `${resource}/${subresource}` : resource, name].join(" "),
          );
      return {
        ...{ manager, processes, log, stop },
        requests,
        writes: () => requests().filter((request) => !/^(get|list) /.test(request)),
      };
    },
    create: (name, spec = {}, metadata = {}) => api.create({ metadata: { ...metadata, name }, spec }),
    change: (name, spec) => api.patch(name, { spec }, { type: "merge" }),
    get: (name) => api.get(name),
    history: (name) => releaseHistory(createObjectClient(cluster.client), namespace, name),
    async annotate(name, annotations) {
      await api.patch(name, { metadata: { annotations } }, { type: "merge" });
    },
    async remove(name) {
      await api.delete(name);
    },
    async storeRelease(release) {
      await secretsApi.create(encodeRelease(release));
    },
    async replaceRelease(release) {
      await secretsApi.update(encodeRelease(release));
    },
    async scale(name, replicas) {
      await deploymentsApi.patch(name, { spec: { replicas } }, { type: "merge" });
    },
    deployment: (name) => deploymentsApi.get(name),
    async events(name) {
      const { items } = await cluster.client.resource(events).namespace(namespace).list();
      return items
        .filter(({ involvedObject }) => involvedObject.kind === "Web" && involvedObject.name === name)
        .map(({ reason, message }) => `${reason} ${message}`);
    },
  };
}

/** "Deployed=True", … */
export function conditionsOf({ status }: Web): string[] {
  return (status?.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`);
}

export function messageOf({ status }: Web, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.message;
}

/** Milliseconds for a test that runs helm, which takes its time on a busy machine. */
export const longTimeout = 600_000;

/** Repeats `look` until it succeeds, for as long as a process may take on a busy machine. */
export function patiently<T>(look: () => T | Promise<T>): Promise<T> {
  return eventually(look, { timeout: 300_000, interval: 50 });
}

export const longAgo = "2020-01-01T00:00:00Z";

/** A release whose install was begun long ago. */
export function pending(of: Partial<Release>): Release {
  return {
    ...{ name: "shop", namespace, revision: 1, status: "pending-install", manifest: "", hooks: [] },
    ...{ chart: { name: "web", version: "0.1.0" }, values: {}, lastDeployed: longAgo },
    ...of,
  };
}

/** Waits until the object is deployed, with these revisions: "2 deployed", "1 superseded". */
export async function settled(bench: HelmBench, name: string, ...revisions: string[]): Promise<void> {
  await patiently(async () => {
    const history = await bench.history(name);
    expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual(revisions);
  });
  await patiently(async () => {
    const conditions = conditionsOf(await bench.get(name));
    expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", "Irreconcilable=False"]));
  });
}
