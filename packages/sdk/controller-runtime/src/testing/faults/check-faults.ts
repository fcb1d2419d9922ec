import { inspect, isDeepStrictEqual } from "node:util";
import { ApiError, type KubeObject, type Resource } from "@operator-path/client";
import jsonPatch from "fast-json-patch";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/errors.ts";
import { objectKeyOf } from "../../client/object-key.ts";
import { alreadyExists, conflict } from "../../client/status-errors.ts";
import { createLogger } from "../../log/create-logger.ts";
import type { ReconcileContext, ReconcileFunction, Reconciler } from "../../reconcile/reconciler.ts";
import type { Request } from "../../reconcile/request.ts";
import { createJsonPatch } from "../../webhook/admission/json-patch.ts";
import {
  type ClusterState,
  collectGarbage,
  copyNamespace,
  foreignAnnotation,
  stateOf,
} from "./cluster-state.ts";
import { type Call, interceptCalls } from "./intercept-calls.ts";

/**
 * A fault at one read or write.
 *
 * At a read:
 * - `failed read`: the read gets a 500.
 *
 * At a write:
 * - `conflict`: another client changes the object first. The write gets a 409: Conflict, or AlreadyExists
 *   for a create.
 * - `server error`: the write gets a 500 and is not stored.
 * - `lost answer`: the write is stored, but the connection breaks before the answer.
 * - `object deleted`: another client deletes the written object first.
 * - `owner deleted`: a user deletes the reconciled object first.
 */
export type Fault = "failed read" | (typeof writeFaults)[number];

const writeFaults = ["conflict", "server error", "lost answer", "object deleted", "owner deleted"] as const;

/** A cluster, a reconciler and what happens to them, for `checkFaults`. */
export interface FaultScene {
  /** The cluster before the first reconcile: a new fake client. */
  readonly client: Client;
  /** The kind of the reconciled object. */
  readonly resource: Resource;
  /** The name of the reconciled object. */
  readonly request: Request;
  /** Makes the reconciler. It must read and write with this client only. */
  reconciler(client: Client): Reconciler | ReconcileFunction;
  /** What users do to the cluster. Each step starts when the reconciler has settled. Default: none. */
  readonly steps?: readonly ((client: Client) => Promise<unknown>)[];
  /**
   * Does the work of other controllers after each reconcile. The garbage collector is built in. Default:
   * nothing.
   */
  others?(client: Client): Promise<unknown>;
  /** Returns the reconciler's changes outside the cluster, as plain data. Default: nothing. */
  outside?(): unknown | Promise<unknown>;
  /**
   * The shortest `requeueAfter` that the reconciler may return without a failure, in milliseconds. Default:
   * none allowed.
   */
  readonly requeueAfter?: number;
  /**
   * Returns whether the reconciler may treat this failed request as a success and wait for a watch event.
   * `request` has the format of the result of `checkFaults`: "patch Pod/status shop/sample". Default: false.
   */
  mayIgnore?(fault: Fault, request: string): boolean;
  /**
   * Whether its changes stay when the object is deleted. Then nothing is compared after an early deletion.
   * Default false.
   */
  readonly outlives?: boolean;
}

const outsideOfCluster = "outside of the cluster";

/** The maximum number of reconciles until the reconciler settles. More count as an endless loop. */
const atMost = 25;

/**
 * Runs a scene repeatedly, with one fault at one read or write, until each has had each fault. A run
 * reconciles the object, performs the steps, and deletes the object. The garbage collector's work is
 * included.
 *
 * The reconciler settles when a reconcile writes nothing. A server-side apply that leaves the object's
 * resourceVersion unchanged is not a write here: apply leaves the comparison to the server. An update or
 * patch without a change is a write. It wakes no watcher either, but the reconciler had the object, and a
 * comparison would have saved the request.
 *
 * @param scene creates the scene. Each run gets a new one.
 * @returns the writes of the run without faults, in order: "create Deployment shop/sample". An apply that
 *   changed nothing is left out.
 * @throws Error when
 * - the final state of the cluster differs from the run without faults
 * - the reconciler ignored a failed read or write. It must reject, request another reconcile, or repeat the
 *   request.
 * - the reconciler made a write that the run without faults does not make
 * - the reconciler overwrote another client's change
 * - the reconciler requested another reconcile without a failure
 * - the reconciler never settles: it keeps writing or failing
 * - objects of the same names in another namespace make a difference, or are changed
 */
export async function checkFaults(scene: () => FaultScene): Promise<string[]> {
  const expected = await play(scene());
  await checkOtherNamespace(scene(), expected);
  for (const [at, call] of expected.calls.entries()) {
    for (const fault of call.isRead ? (["failed read"] as const) : writeFaults) {
      try {
        await checkFault(scene(), { fault, at }, expected);
      } catch (cause) {
        const where = `${fault} at request ${at + 1} (${call.text})`;
        throw new Error(`${where}: ${(cause as Error).message}`, { cause });
      }
    }
  }
  return changesOf(expected);
}

interface Planned {
  readonly fault: Fault;
  /** The index of the read or write, from 0. */
  readonly at: number;
}

interface Outcome {
  readonly calls: readonly Call[];
  /** The applies that left their object unchanged. */
  readonly unchanged: ReadonlySet<Call>;
  /** The state after the last step. `deleted` is the state after the object's deletion. */
  readonly settled: ClusterState;
  readonly deleted: ClusterState;
  /** Whether a fault deleted the reconciled object. */
  readonly deletedEarly: boolean;
}

async function checkFault(scene: FaultScene, planned: Planned, expected: Outcome): Promise<void> {
  const seen = await play(scene, planned);
  if (!seen.deletedEarly) compare(seen.settled, expected.settled, "");
  if (!(seen.deletedEarly && scene.outlives)) compare(seen.deleted, expected.deleted, "after the deletion, ");
  const other = writesOf(seen).find((write) => !writesOf(expected).includes(write));
  if (other) throw new Error(`the reconciler wrote something else: ${other}`);
}

/** Runs the scene with a copy of its objects in another namespace, which must make no difference. */
async function checkOtherNamespace(scene: FaultScene, expected: Outcome): Promise<void> {
  const { namespace } = scene.request;
  if (!namespace) return;
  const other = `other-than-${namespace}`;
  await copyNamespace(scene.client, namespace, other);
  const isThere = (name: string) => name.includes(` ${other}/`);
  const only = (state: ClusterState, there: boolean) =>
    new Map([...state].filter(([name]) => isThere(name) === there));
  const before = only(await stateOf(scene.client), true);
  const seen = await play(scene);
  const prefix = "beside objects of the same names in another namespace, ";
  compare(only(seen.settled, true), before, prefix);
  compare(only(seen.settled, false), expected.settled, prefix);
  compare(only(seen.deleted, true), before, prefix);
  compare(only(seen.deleted, false), expected.deleted, prefix);
}

/** Runs the scene to its end, with at most one fault. */
async function play(scene: FaultScene, planned?: Planned): Promise<Outcome> {
  const { client, request, resource, steps = [] } = scene;
  const calls: Call[] = [];
  const unchanged = new Set<Call>();
  /** The failed request, until the reconciler repeats it. */
  let failed: string | undefined;
  let touched: { resource: Resource; uid: string | undefined; key: Request } | undefined;
  let deletedEarly = false;

  const reconciler = scene.reconciler(
    interceptCalls(client, async (call, send) => {
      calls.push(call);
      if (planned?.at !== calls.length - 1) {
        const version = call.isApply ? await versionOf(call.object) : undefined;
        const answer = await send();
        if (version && version === (await versionOf(call.object))) unchanged.add(call);
        if (failed === call.text) failed = undefined;
        return answer;
      }
      switch (planned.fault) {
        case "conflict":
          failed = call.text;
          throw await changeFirst(call);
        case "failed read":
        case "server error":
          failed = call.text;
          throw new ApiError({ code: 500, reason: "InternalError", message: "an injected server error" });
        case "lost answer":
          await send();
          failed = call.text;
          throw new Error("an injected broken connection");
        case "object deleted":
          await deleteFirst(call);
          return send();
        case "owner deleted":
          await deleteSubject();
          deletedEarly = true;
          return send();
      }
    }),
  );

  const reconcile: ReconcileFunction =
    typeof reconciler === "function" ? reconciler : (...given) => reconciler.reconcile(...given);

  async function versionOf(object: KubeObject | undefined): Promise<string | undefined> {
    if (!object?.metadata?.name) return undefined;
    const stored = await client
      .get(client.scheme.resourceFor(object), objectKeyOf(object))
      .catch(ignoreNotFound);
    return stored?.metadata?.resourceVersion;
  }

  async function changeFirst({ verb, object }: Call): Promise<ApiError> {
    if (!object) return conflict(resource, "", "an injected conflict");
    const target = client.scheme.resourceFor(object);
    const key = { namespace: object.metadata?.namespace ?? "", name: object.metadata?.name ?? "" };
    if (verb === "create" && key.name) return alreadyExists(target, key.name);
    const current = await client.get(target, key).catch(ignoreNotFound);
    if (current) {
      const annotations = { ...current.metadata?.annotations, [foreignAnnotation]: "yes" };
      await client.update({ ...current, metadata: { ...current.metadata, annotations } });
      touched = { resource: target, uid: current.metadata?.uid, key };
    }
    return conflict(target, key.name, "the object has been modified");
  }

  async function deleteFirst({ verb, object }: Call): Promise<void> {
    if (!object || verb === "create") return;
    if (object.kind === resource.kind && object.metadata?.name === request.name) deletedEarly = true;
    await client.delete(object).catch(ignoreNotFound);
  }

  async function deleteSubject(): Promise<void> {
    const object = await client.get(resource, request).catch(ignoreNotFound);
    if (object) await client.delete(object);
  }

  async function settle(): Promise<void> {
    let last = "";
    for (let count = 0; count < atMost; count++) {
      const before = calls.length;
      const ended = await reconcileOnce();
      const isNews = await othersWrote();
      last = ended.text;
      if (ended.rejected && !planned) throw new Error(`the reconciler failed without a fault: ${last}`);
      if (ended.requeues && !planned) {
        throw new Error(
          `the reconciler returned ${last}, but nothing had failed: the next change triggers the next reconcile`,
        );
      }
      const retries = ended.rejected || ended.requeues;
      if (failed !== undefined && !retries && planned && !scene.mayIgnore?.(planned.fault, failed)) {
        throw new Error(`the reconciler returned ${last} after a failure, and nothing retries it`);
      }
      failed = undefined;
      const writes = changesOf({ calls: calls.slice(before), unchanged });
      if (!retries && !isNews && writes.length === 0) return;
      if (writes.length > 0) last += ` and wrote: ${writes.join(", ")}`;
    }
    throw new Error(`the reconciler does not settle: reconcile ${atMost} returned ${last}`);
  }

  async function othersWrote(): Promise<boolean> {
    await collectGarbage(client);
    if (!scene.others) return false;
    const before = await stateOf(client);
    await scene.others(client);
    return !isDeepStrictEqual(await stateOf(client), before);
  }

  /** Runs one reconcile. Returns its result, and whether another one follows at once. */
  async function reconcileOnce() {
    try {
      const result = (await reconcile(request, createContext())) ?? {};
      const { requeueAfter = 0, requeue = false } = result;
      const isSoon = requeueAfter > 0 && requeueAfter < (scene.requeueAfter ?? Number.POSITIVE_INFINITY);
      return { rejected: false, requeues: requeue || isSoon, text: inspect(result) };
    } catch (error) {
      return { rejected: true, requeues: false, text: String(error) };
    }
  }

  await settle();
  for (const step of steps) {
    await (deletedEarly ? step(client).catch(ignoreNotFound) : step(client));
    await settle();
  }
  await checkTouched();
  const settled = await everything();
  await deleteSubject();
  await collectGarbage(client);
  await settle();
  return { calls, unchanged, settled, deleted: await everything(), deletedEarly };

  async function everything(): Promise<ClusterState> {
    const outside = structuredClone(await scene.outside?.());
    return new Map([...(await stateOf(client)), [outsideOfCluster, outside]]);
  }

  async function checkTouched(): Promise<void> {
    if (!touched) return;
    const now = await client.get(touched.resource, touched.key).catch(ignoreNotFound);
    if (!now || now.metadata?.uid !== touched.uid) return;
    if (!now.metadata?.annotations?.[foreignAnnotation]) {
      throw new Error(`the reconciler undid another client's change of ${touched.resource.kind}`);
    }
  }
}

function writesOf({ calls }: Pick<Outcome, "calls">): string[] {
  return calls.filter(({ isRead }) => !isRead).map(({ text }) => text);
}

/** Returns the writes, without the applies that changed nothing. */
function changesOf({ calls, unchanged }: Pick<Outcome, "calls" | "unchanged">): string[] {
  return writesOf({ calls: calls.filter((call) => !unchanged.has(call)) });
}

function createContext(): ReconcileContext {
  return {
    log: createLogger({ level: "silent" }),
    signal: new AbortController().signal,
    cause: { trigger: "generic", count: 1, queuedFor: 0, retries: 0 },
    reconcileID: "00000000-0000-4000-8000-000000000000",
  };
}

function compare(seen: ClusterState, expected: ClusterState, when: string): void {
  for (const name of new Set([...expected.keys(), ...seen.keys()])) {
    const [is, should] = [seen.get(name), expected.get(name)];
    if (isDeepStrictEqual(is, should)) continue;
    throw new Error(
      [`${when}${name} differs from the run without a fault`, ...differences(name, should, is)].join("\n"),
    );
  }
}

/** Returns a line for each field that differs. What is not an object of the cluster is printed in full. */
function differences(name: string, expected: unknown, seen: unknown): string[] {
  if (name === outsideOfCluster || !expected || !seen) {
    const text = (value: unknown) => (value === undefined ? "missing" : inspect(value, { depth: 12 }));
    return [`expected: ${text(expected)}`, `is: ${text(seen)}`];
  }
  return createJsonPatch(expected, seen).map((operation) => {
    const { op, path } = operation;
    const should = op === "add" ? "no value" : JSON.stringify(jsonPatch.getValueByPointer(expected, path));
    const is = "value" in operation ? JSON.stringify(operation.value) : "missing";
    return `${path}: expected ${should}, is ${is}`;
  });
}
