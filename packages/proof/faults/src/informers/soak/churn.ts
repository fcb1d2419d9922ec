import {
  type Client,
  type ConfigMap,
  configMaps,
  isNotFound,
  type Namespace,
  namespaces,
} from "@operator-path/client";
import type { Random } from "../../random.ts";

/** Changes a fixed set of names: most objects exist, some are deleted and recreated. */
export interface Churn {
  readonly writes: number;
  readonly deletions: number;
  /** Resolves when no write is running. */
  pause(): Promise<void>;
  resume(): void;
}

export const namespace = "soak";

/**
 * The share of writes that delete, and the share of missing names once as many are recreated as are deleted.
 */
const deletes = 0.15;
const absent = 0.05;

const ticksPerSecond = 10;

/** Creates the objects, and returns what changes them. */
export async function startChurn(
  client: Client,
  random: Random,
  { objects, writesPerSecond }: { objects: number; writesPerSecond: number },
): Promise<Churn> {
  const maps = client.resource(configMaps).namespace(namespace);
  const space: Namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  await client.resource(namespaces).create(space);
  const here = Array.from({ length: objects }, (_, number) => `object-${number}`);
  const deleted: string[] = [];
  await inParallel(here, 16, async (name) => void (await maps.create(draw(name))));

  let writes = 0;
  let deletions = 0;
  let paused = true;
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function draw(name: string): ConfigMap {
    const team = random.pick(["payments", "search", "größe", "倉庫"]);
    const text = `${random.int(0, 1e9).toString(36)}-${team}-`;
    return {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, labels: { app: "soak", shard: `${random.int(0, 16)}` }, annotations: { team } },
      data: { value: `${random.next()}`, text: text.repeat(random.int(20, 150)) },
    };
  }

  async function write(): Promise<void> {
    const at = random.int(0, here.length);
    const name = here[at] as string;
    if (random.chance(deletes)) {
      here[at] = here.at(-1) as string;
      here.pop();
      await maps.delete(name);
      deleted.push(name);
      deletions++;
    } else if (random.chance((deletes * deleted.length) / (absent * objects))) {
      const back = deleted.splice(random.int(0, deleted.length), 1)[0] as string;
      await maps.create(draw(back));
      here.push(back);
    } else {
      const { data, metadata } = draw(name);
      // Several writes to one object at once happen in clusters, too: the name may be deleted by now.
      await maps
        .patch(name, { data, metadata: { annotations: metadata?.annotations } }, { type: "merge" })
        .catch(ignoreGone);
    }
    writes++;
  }

  function tick(): void {
    const count = Math.round((writesPerSecond / ticksPerSecond) * (0.5 + random.next()));
    for (let i = 0; i < count; i++) {
      const writing: Promise<void> = write().finally(() => underWay.delete(writing));
      underWay.add(writing);
    }
  }

  return {
    get writes() {
      return writes;
    },
    get deletions() {
      return deletions;
    },
    async pause() {
      paused = true;
      clearInterval(timer);
      await Promise.all(underWay);
    },
    resume() {
      if (!paused) return;
      paused = false;
      timer = setInterval(tick, 1_000 / ticksPerSecond);
    },
  };
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

async function inParallel<T>(
  items: readonly T[],
  workers: number,
  job: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < items.length) await job(items[next++] as T);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
