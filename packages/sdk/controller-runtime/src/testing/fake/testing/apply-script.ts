import { ApiError, type KubeObject } from "@operator-path/client";
import fc from "fast-check";
import type { Client } from "../../../client/client.ts";
import { rawPatch } from "../../../client/patch.ts";

/** One write to a Deployment by one manager. */
type Step = {
  manager: "one" | "two";
  force: boolean;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  containers: { name: string; env: { name: string; value: string }[] }[];
  replicas: number | undefined;
  finalizers: string[];
  verb: "apply" | "patch" | "status";
};

const word = fc.constantFrom("a", "b", "c");
const named = <T extends object>(more: fc.Arbitrary<T>, most: number) =>
  fc
    .uniqueArray(fc.tuple(word, more), { selector: ([name]) => name, maxLength: most })
    .map((items) => items.map(([name, rest]) => ({ name, ...rest })));

const step: fc.Arbitrary<Step> = fc.record({
  manager: fc.constantFrom("one" as const, "two" as const),
  force: fc.boolean(),
  labels: fc.dictionary(word, word, { maxKeys: 2 }),
  annotations: fc.dictionary(word, word, { maxKeys: 2 }),
  containers: named(fc.record({ env: named(fc.record({ value: word }), 2) }), 2),
  // Not 1, the server's default.
  replicas: fc.option(fc.constantFrom(0, 2, 3), { nil: undefined }),
  finalizers: fc.uniqueArray(fc.constantFrom("example.com/a", "example.com/b"), { maxLength: 2 }),
  verb: fc.constantFrom(
    "apply" as const,
    "apply" as const,
    "apply" as const,
    "patch" as const,
    "status" as const,
  ),
});

export const applyScript = fc.array(step, { minLength: 2, maxLength: 7 });

/** Returns a client's answers, without what only a server with a schema adds. */
export async function playApplyScript(client: Client, namespace: string, script: readonly Step[]) {
  const answers: unknown[] = [];
  for (const each of script) {
    try {
      answers.push(view(await act(client, namespace, each)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Compare paths and managers, not the time of an update.
      answers.push([
        error.reason,
        error.message.replaceAll(/ using apps\/v1( at \S+)?(?=:)/g, " using apps/v1"),
      ]);
    }
  }
  return answers;
}

async function act(client: Client, namespace: string, step: Step): Promise<KubeObject> {
  const { manager, force, labels, annotations, containers, replicas, finalizers, verb } = step;
  const identity = { apiVersion: "apps/v1", kind: "Deployment" };
  const own = {
    // A permanent label. On a server, the creator of a map owns the map itself, even after it is removed.
    labels: { base: "base", ...labels },
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(finalizers.length > 0 ? { finalizers } : {}),
  };
  const app = { app: "web" };
  const pod = { metadata: { labels: app }, spec: { containers: withBase(containers) } };
  const spec = {
    selector: { matchLabels: app },
    template: pod,
    ...(replicas === undefined ? {} : { replicas }),
  };
  const metadata = { namespace, name: "web", ...own };
  const options = { fieldManager: manager, force };
  if (verb === "apply") return client.apply({ ...identity, metadata, spec } as KubeObject, options);
  const target = { ...identity, metadata: { namespace, name: "web" } };
  if (verb === "patch") {
    const data = { metadata: { labels }, spec: { ...(replicas === undefined ? {} : { replicas }) } };
    return client.patch(target, rawPatch("merge", data), { fieldManager: manager });
  }
  const status = { observedGeneration: (replicas ?? 5) + 1 };
  return client.status.apply({ ...target, status } as KubeObject, options);
}

/** A Deployment needs at least one container. */
function withBase(containers: Step["containers"]) {
  const base = { name: "base", env: [] as { name: string; value: string }[] };
  return [base, ...containers].map(({ name, env }) => ({
    ...{ name, image: "nginx" },
    ...(env.length > 0 ? { env } : {}),
  }));
}

interface Viewed extends KubeObject {
  spec?: { replicas?: number; template?: { spec?: { containers?: Step["containers"] } } };
  status?: { observedGeneration?: number };
}

function view({ metadata, spec, status }: Viewed) {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata ?? {};
  const containers = spec?.template?.spec?.containers ?? [];
  return {
    ...{ labels, annotations, finalizers, observed: status?.observedGeneration },
    // A server defaults missing replicas to 1.
    replicas: spec?.replicas ?? 1,
    containers: containers.map(({ name, env = [] }) => ({ name, env })),
  };
}
