import { sorted } from "./go-json.ts";
import { managedBy } from "./managed-fields.ts";
import { type Random, uuid } from "./random.ts";
import { annotation, moment, roles, sentence, setting, suffix, targetSize, teams } from "./vocabulary.ts";

export const cacheGroup = "bench.example.com";
const apiVersion = `${cacheGroup}/v1`;

/**
 * Returns a custom resource as kube-apiserver sends it, with members in alphabetical order. kubectl applied
 * it, so some have a whole object as JSON in an annotation. Its operator writes the status.
 */
export function cache(random: Random, index: number, namespace: string, resourceVersion: string): unknown {
  const team = random.pick(teams);
  const name = `${team}-${random.pick(roles)}-${suffix(random)}${index}`;
  const created = moment(random);
  const labels: Record<string, string> = { "app.kubernetes.io/part-of": team };
  const annotations: Record<string, string> = {};
  const settings: Record<string, string> = {};
  const shards = [shard(random, 0)];
  let bytes = 1_200;
  for (const target = targetSize(random, 1_900); bytes < target; ) {
    const kind = random.next();
    if (kind < 0.25) {
      const [key, value] = annotation(random, Object.keys(annotations).length);
      annotations[key] = value;
      bytes += key.length + value.length + 6;
    } else if (kind < 0.4) {
      shards.push(shard(random, shards.length));
      bytes += 170;
    } else {
      const { name: key, value } = setting(random, Object.keys(settings).length);
      settings[key.toLowerCase()] = value;
      bytes += key.length + value.length + 6;
    }
  }
  const spec = {
    engine: { image: `registry.example.com/cache/engine:${random.below(9)}.2`, pullPolicy: "IfNotPresent" },
    replicas: 1 + random.below(9),
    settings,
    shards,
    topology: { spread: "zone", zones: ["a", "b", "c"].slice(0, 1 + random.below(3)) },
  };
  if (random.chance(0.3)) {
    const applied = {
      apiVersion,
      kind: "Cache",
      metadata: { labels, name, namespace },
      spec: { ...spec, settings: {}, shards: shards.slice(0, 2) },
    };
    annotations["kubectl.kubernetes.io/last-applied-configuration"] = `${JSON.stringify(sorted(applied))}\n`;
  }
  const status = {
    conditions: ["Available", "Degraded", "Progressing"].map((type) => ({
      lastTransitionTime: moment(random),
      message: sentence(random),
      observedGeneration: 3,
      reason: `${type}Checked`,
      status: random.chance(0.7) ? "True" : "False",
      type,
    })),
    nodes: shards.map((_, shardIndex) => `${name}-${shardIndex}`),
    observedGeneration: 3,
    readyReplicas: random.below(9),
  };
  const hasNotes = Object.keys(annotations).length > 0;
  return sorted({
    apiVersion,
    kind: "Cache",
    metadata: {
      ...(hasNotes && { annotations }),
      creationTimestamp: created,
      finalizers: [`${cacheGroup}/drain`],
      generation: 3,
      labels,
      managedFields: [
        managedBy("kubectl-client-side-apply", apiVersion, created, {
          metadata: { ...(hasNotes && { annotations }), labels },
          spec,
        }),
        managedBy("cache-operator", apiVersion, moment(random), { status }, "status"),
      ],
      name,
      namespace,
      resourceVersion,
      uid: uuid(random),
    },
    spec,
    status,
  });
}

function shard(random: Random, index: number): object {
  return {
    memory: `${1 << random.below(8)}Gi`,
    name: `shard-${index}`,
    node: `node-${random.below(200)}.${random.pick(teams)}.example.com`,
    persistent: random.chance(0.5),
    weight: random.below(1000) / 8,
  };
}
