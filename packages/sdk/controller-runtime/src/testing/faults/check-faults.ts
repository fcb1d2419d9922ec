import { inspect, isDeepStrictEqual } from "node:util";
import { ApiError, type Resource } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/errors.ts";
import { alreadyExists, conflict } from "../../client/status-errors.ts";
import { createLogger } from "../../log/create-logger.ts";
import type { ReconcileContext, ReconcileFunction } from "../../reconcile/reconciler.ts";
import type { Request } from "../../reconcile/request.ts";
import {
  type ClusterState,
  collectGarbage,
  copyNamespace,
  foreignAnnotation,
  stateOf,
} from "./cluster-state.ts";
import { type Call, interceptCalls } from "./intercept-calls.ts";

/**
 * What happens at one read or write. At a read:
 * - `failed read`: it gets a 500.
 *
 * At a write:
 * - `conflict`: another client changes the object first. The write gets a 409: Conflict, or AlreadyExists for a create.
 * - `server error`: the write gets a 500 and is not stored.
 * - `lost answer`: the write is stored, but the connection breaks before the answer.
 * - `object deleted`: another client deletes the written object first.
 * - `owner deleted`: a user deletes the reconciled object first.
 */
export type Fault = "failed read" | (typeof writeFaults)[number];

const writeFaults = ["conflict", "server error", "lost answer", "object deleted", "owner deleted"] as const;

export interface FaultScene {
  /** The cluster before the first reconcile: a new fake client. */
  readonly client: Client;
  /** The kind of the reconciled object. */
  readonly resource: Resource;
  /** The name of the reconciled object. */
  readonly request: Request;
  /** Makes the reconciler. It must read and write with this client only. */
  reconciler(client: Client): ReconcileFunction;
  /** What users do to the cluster. Each step begins when the reconciler rests. Default: none. */
  readonly steps?: readonly ((client: Client) => Promise<unknown>)[];
  /** Does what other controllers do, after each reconcile. The garbage collector is there already. Default: nothing. */
  others?(client: Client): Promise<unknown>;
  /** Returns what the reconciler has changed outside of the cluster, as plain data. Default: nothing. */
  outside?(): unknown | Promise<unknown>;
  /** The shortest `requeueAfter`, in milliseconds, that the reconciler returns when nothing failed. Default: none at all. */
  readonly requeueAfter?: number;
  /**
   * Returns whether the reconciler may go on as if this request had succeeded, and wait for a watch event. `request` is as
   * `checkFaults` returns it: "patch Pod/status shop/sample". Default: it may not.
   */
  mayIgnore?(fault: Fault, request: string): boolean;
  /** Whether its changes stay when the object is deleted. What an early deletion leaves is then not compared. */
  readonly outlives?: boolean;
}

/** Reconciles until a reconciler rests. More than this many are an endless loop. */
const atMost = 25;

/**
 * Plays a scene again and again, with one fault at one read or write, until each has had each fault. In each run the object
 * is reconciled, the steps are done, and the object is deleted in the end. The garbage collector's work is done, too.
 *
 * Returns the writes of the run without faults, in order: "create Deployment shop/sample".
 *
 * @param scene makes the scene anew. Each run has its own.
 * @throws Error when
 * - the cluster ends in another state than without the fault
 * - the reconciler returned after a failed read or write as if nothing had happened (it must reject, ask for another
 *   reconcile, or do it again)
 * - a write appears that the run without faults does not have
 * - another client's change is lost
 * - the reconciler asks for another reconcile although nothing failed
 * - the reconciler never rests: it goes on writing or failing
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
  return writesOf(expected);
}

interface Planned {
  readonly fault: Fault;
  /** Which read or write, from 0. */
  readonly at: number;
}

interface Outcome {
  readonly calls: readonly Call[];
  /** When the reconciler rested after the last step, and after the object's deletion. */
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

/** Runs the scene beside a copy of its objects in another namespace, which must make no difference. */
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

/** Plays the scene to its end, with one fault or none. */
async function play(scene: FaultScene, planned?: Planned): Promise<Outcome> {
  const { client, request, resource, steps = [] } = scene;
  const calls: Call[] = [];
  /** The call that failed, until it was done again. */
  let failed: string | undefined;
  let touched: { resource: Resource; uid: string | undefined; key: Request } | undefined;
  let deletedEarly = false;

  const reconcile = scene.reconciler(
    interceptCalls(client, async (call, send) => {
      calls.push(call);
      if (planned?.at !== calls.length - 1) {
        const answer = await send();
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
          `the reconciler returned ${last}, but nothing had failed: a change brings the next reconcile`,
        );
      }
      const retries = ended.rejected || ended.requeues;
      if (failed !== undefined && !retries && planned && !scene.mayIgnore?.(planned.fault, failed)) {
        throw new Error(`the reconciler returned ${last} after a failure, and nothing tries it again`);
      }
      failed = undefined;
      const writes = writesOf({ calls: calls.slice(before) });
      if (!retries && !isNews && writes.length === 0) return;
      if (writes.length > 0) last += ` and wrote: ${writes.join(", ")}`;
    }
    throw new Error(`the reconciler does not rest: reconcile ${atMost} returned ${last}`);
  }

  async function othersWrote(): Promise<boolean> {
    await collectGarbage(client);
    if (!scene.others) return false;
    const before = await stateOf(client);
    await scene.others(client);
    return !isDeepStrictEqual(await stateOf(client), before);
  }

  /** What a reconcile returned, and whether another one follows at once. */
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
  return { calls, settled, deleted: await everything(), deletedEarly };

  async function everything(): Promise<ClusterState> {
    const outside = structuredClone(await scene.outside?.());
    return new Map([...(await stateOf(client)), ["outside of the cluster", outside]]);
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
    const text = (value: unknown) => (value === undefined ? "missing" : inspect(value, { depth: 12 }));
    throw new Error(
      `${when}${name} differs from the run without a fault\nexpected: ${text(should)}\nis: ${text(is)}`,
    );
  }
}
