import { setTimeout as sleep } from "node:timers/promises";
import { type Client, type KubeConfig, type KubeObject, namespaces } from "@operator-path/client";
import { installCrds } from "../testing-cluster/manifests.ts";
import { kustomize } from "../testing-cluster/rights.ts";
import type { TestCluster } from "../testing-cluster/start-test-cluster.ts";
import type { AnyObject, Capstone } from "./capstone.ts";
import { find, firstDifference, nameOf, verbsFor } from "./objects.ts";
import { type OperatorProcess, runCommand, startOperator } from "./operator-process.ts";

/** A milestone that the operator has not reached. The message says what is wrong, and what to do. */
export class NotYet extends Error {
  override readonly name = "NotYet";
}

/** What the checks of the milestones share: a cluster, and the operator on it. */
export interface Scene {
  readonly cluster: TestCluster;
  readonly client: Client;
  readonly capstone: Capstone;
  /** Generates the manifests and installs the CRDs. Does both only once. */
  install(): Promise<void>;
  /** Returns the objects of `config/default`. */
  manifests(): Promise<KubeObject[]>;
  /** Starts the operator, if it does not run with this kubeconfig. Default: the administrator's. */
  start(kubeConfig?: KubeConfig): Promise<void>;
  /** Stops the operator, if it runs. */
  stop(): Promise<void>;
  /** Marks the beginning of a milestone, for `lastError`. */
  begin(): void;
  /** Returns the last error that the operator has logged since the milestone began, and that matches. */
  lastError(pattern?: RegExp): string | undefined;
  /** Returns a new namespace that enforces the Pod Security standard `restricted`. */
  namespace(): Promise<string>;
  /**
   * Waits until `look` returns no complaint.
   *
   * @throws NotYet with the complaint and the operator's last error after the patience, or if the operator has ended
   */
  until(look: () => Promise<string | undefined>): Promise<void>;
  /**
   * Does the same as `until`, for what several milestones begin with. After a failure it fails at once, with
   * the same complaint, as long as the same operator runs: the patience has shown what that operator does.
   */
  reach(look: () => Promise<string | undefined>): Promise<void>;
}

/** Configures `createScene`. */
export interface SceneOptions {
  readonly folder: string;
  readonly capstone: Capstone;
  readonly cluster: TestCluster;
  /** Milliseconds until something that does not happen is reported. */
  readonly patience: number;
}

/** Returns a scene on a cluster. Starts nothing. */
export function createScene({ folder, capstone, cluster, patience }: SceneOptions): Scene {
  const { client } = cluster;
  let installed: Promise<void> | undefined;
  let operator:
    | { process: OperatorProcess; kubeConfig: KubeConfig; complaint?: string; begun: number }
    | undefined;

  async function installAll(): Promise<void> {
    await runCommand(capstone.generate, folder).catch((error: Error) => {
      throw new NotYet(error.message);
    });
    const objects = await kustomize(`${folder}/config/crd`);
    const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    await installCrds(
      client,
      crds.map((object) => ({ object: object as never, from: object.metadata?.name ?? "config/crd" })),
    ).catch((error: Error) => {
      throw new NotYet(`The server rejects your CRD. ${error.message}`);
    });
  }

  const scene: Scene = {
    ...{ cluster, client, capstone },
    install() {
      installed ??= installAll();
      return installed;
    },
    manifests: () => kustomize(`${folder}/config/default`),
    async start(kubeConfig = cluster.kubeConfig) {
      await scene.install();
      if (operator?.kubeConfig === kubeConfig && operator.process.failure() === undefined) return;
      await scene.stop();
      operator = { process: await startOperator(capstone.run, folder, kubeConfig), kubeConfig, begun: 0 };
    },
    async stop() {
      await operator?.process.stop();
      operator = undefined;
    },
    begin() {
      if (operator) operator.begun = operator.process.printed();
    },
    lastError: (pattern) => operator?.process.lastError(operator.begun, pattern),
    async namespace() {
      const name = await cluster.namespace("checklist");
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      await client.resource(namespaces).patch(name, { metadata: { labels } }, { type: "merge" });
      return name;
    },
    async until(look) {
      const giveUpAt = performance.now() + patience;
      // Most milestones are reached at once. Later looks are rarer, because they slow down the operator.
      for (let pause = 50; ; pause = Math.min(pause * 1.5, 500)) {
        const complaint = await look();
        if (complaint === undefined) return;
        const failure = operator?.process.failure();
        if (failure !== undefined) throw new NotYet(`The operator does not run. ${failure}`);
        if (performance.now() > giveUpAt) {
          const error = scene.lastError();
          const log = error === undefined ? "" : `\nThe operator's last error: ${error}`;
          throw new NotYet(
            `${complaint}\nThe checklist waited ${patience / 1_000} s for this to change.${log}`,
          );
        }
        await sleep(pause);
      }
    },
    async reach(look) {
      const running = operator;
      if (running?.complaint !== undefined) throw new NotYet(running.complaint);
      await scene.until(look).catch((error: unknown) => {
        if (running && error instanceof NotYet) running.complaint = error.message;
        throw error;
      });
    },
  };
  return scene;
}

/** Creates the sample in a new namespace. Returns the namespace. */
export async function createSample({ client, capstone, namespace }: Scene): Promise<string> {
  const name = await namespace();
  const verbs = await verbsFor(client, capstone.sample, name);
  await verbs.create(sampleIn(capstone.sample, name), { fieldValidation: "Strict" });
  return name;
}

/** Returns the sample as it is sent to a namespace. */
export function sampleIn(sample: AnyObject, namespace: string): AnyObject {
  return { ...sample, metadata: { ...sample.metadata, namespace } };
}

/** Returns a complaint about the first of these objects that does not exist, or differs. */
export async function missing(
  { client }: Scene,
  expected: readonly AnyObject[],
  namespace: string,
): Promise<string | undefined> {
  for (const object of expected) {
    const found = await find(client, object, namespace);
    if (!found || found.metadata?.deletionTimestamp) return `${nameOf(object)} does not exist.`;
    const difference = firstDifference(found, object);
    if (difference) {
      const { path, actual, expected: wanted } = difference;
      return `${nameOf(object)}: ${path} is ${text(actual)}. capstone.yaml promises ${text(wanted)}.`;
    }
  }
  return undefined;
}

function text(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
