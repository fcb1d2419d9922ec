import { type Client, type Clock, defineResource, isNotFound, type KubeObject } from "@operator-path/client";
import {
  createWorkQueue,
  type EventHandler,
  exponentialFailureRateLimiter,
  keyOf,
  runWorkers,
  type SharedInformer,
  splitKey,
} from "@operator-path/informers";
import type { Random } from "../random.ts";
import type { Thing } from "./objects.ts";
import { createQueueJudge } from "./queue-judge.ts";

export interface Mirror extends KubeObject {
  of?: string;
}

/**
 * The object that the controller writes for each object of the cache: it names that object and its version.
 */
export const mirrors = defineResource<Mirror>({
  group: "example.com",
  version: "v1",
  kind: "Mirror",
  plural: "mirrors",
  namespaced: true,
});

export const idOf = ({ metadata }: KubeObject) => `${metadata?.uid}@${metadata?.resourceVersion}`;

export interface MirrorOptions {
  client: Client;
  informer: SharedInformer<Thing>;
  workers: number;
  clock: Clock;
  random: Random;
  onProblem(problem: string): void;
}

/** A typical controller: handlers add keys, workers make a mirror equal to the cache. */
export function createMirrorController({
  client,
  informer,
  workers,
  clock,
  random,
  onProblem,
}: MirrorOptions) {
  const queue = createWorkQueue<string>({
    clock,
    rateLimiter: exponentialFailureRateLimiter({ max: 20_000 }),
  });
  const judge = createQueueJudge(clock, onProblem);
  function add(object: Parameters<typeof keyOf>[0]): void {
    const key = keyOf(object);
    const priority = random.pick([0, 0, 0, 1, 5]);
    judge.added(key, priority);
    queue.add(key, { priority });
  }
  const handler: EventHandler<Thing> = { added: add, updated: (_, object) => add(object), deleted: add };
  let writes = 0;

  async function reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { namespace, name } = splitKey(key);
    const api = client.resource(mirrors).namespace(namespace);
    const thing = informer.lister.get(key);
    const mirror = await api.get(name, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (random.chance(0.2)) await clock.sleep(random.int(1, 500), signal);
    if (random.chance(0.05)) throw new Error("a reconcile that fails");
    if (mirror?.of === (thing && idOf(thing))) return;
    writes++;
    if (!thing) {
      await api.delete(name, { preconditions: { uid: mirror?.metadata?.uid ?? "" }, signal });
    } else if (mirror) await api.update({ ...mirror, of: idOf(thing) }, { signal });
    else await api.create({ metadata: { name, namespace }, of: idOf(thing) }, { signal });
  }

  return {
    handler,
    get writes() {
      return writes;
    },
    get idle() {
      return judge.idle && queue.length === 0;
    },
    /** Keys that were added and not processed since. */
    get lost() {
      return judge.waiting;
    },
    run: (signal: AbortSignal) =>
      runWorkers(
        queue,
        {
          workers,
          async process(key, stopping) {
            judge.begun(key);
            let failed = true;
            try {
              await reconcile(key, stopping);
              failed = false;
            } finally {
              judge.ended(key, failed);
            }
          },
          onError() {},
        },
        signal,
      ),
  };
}
