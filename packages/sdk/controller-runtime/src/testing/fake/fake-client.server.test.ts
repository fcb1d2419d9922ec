import { startApiServer } from "@operator-path/apiserver";
import {
  ApiError,
  createClient,
  type Deployment,
  deployments,
  type KubeObject,
  namespaces,
} from "@operator-path/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { createObjectClient } from "../../client/create-client.ts";
import { mergeFrom, rawPatch } from "../../client/patch.ts";
import { createFakeClient } from "./fake-client.ts";
import { applyScript, playApplyScript } from "./testing/apply-script.ts";

/** A step of a script. Its effect depends only on earlier answers to the client. */
type Step = { name: "one" | "two"; stale: boolean; value: number } & (
  | { verb: "create" | "update" | "patch" | "lock" | "json" | "status" | "delete" | "guarded" }
  | { verb: "hold" | "release" }
);

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom("one", "two"),
  stale: fc.boolean(),
  value: fc.integer({ min: 0, max: 2 }),
  verb: fc.constantFrom(
    ...(["create", "create", "update", "patch", "lock", "json", "status", "delete", "guarded"] as const),
    ...(["hold", "hold", "release"] as const),
  ),
});

const labels = { app: "web" };
const deployment = (namespace: string, name: string, replicas: number): Deployment => ({
  ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name, labels } },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
  status: { observedGeneration: 7 },
});

/** A client's answer without what must differ: versions, generated names, defaults. */
async function play(client: Client, namespace: string, script: Step[]): Promise<unknown[]> {
  const seen = new Map<string, Deployment[]>();
  const answers: unknown[] = [];
  for (const each of script) {
    const states = seen.get(each.name) ?? [];
    // A stale reader uses the first state, any other the last.
    const known = (each.stale ? states[0] : states.at(-1)) ?? deployment(namespace, each.name, each.value);
    const before = states.at(-1)?.metadata;
    try {
      const answer = await act(client, known, each, namespace);
      if (answer) seen.set(each.name, [...states, answer]);
      answers.push(answer ? view(answer, before) : "done");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      answers.push(error.reason);
    }
  }
  const listed = await client.list(deployments, { namespace, labels: { app: "web" } });
  answers.push(listed.map((object) => view(object, undefined)).sort((a, b) => (a.name < b.name ? -1 : 1)));
  return answers;
}

async function act(client: Client, known: Deployment, { verb, name, value }: Step, namespace: string) {
  const withReplicas = { ...known, spec: { ...known.spec, replicas: value } } as Deployment;
  // Not 0, which the server omits for a built-in kind.
  const withStatus = { ...withReplicas, status: { observedGeneration: value + 1 } };
  const withFinalizers = (finalizers: string[]) => ({
    ...known,
    metadata: { ...known.metadata, finalizers },
  });
  const { uid, resourceVersion } = known.metadata ?? {};
  switch (verb) {
    case "create":
      return client.create(deployment(namespace, name, value));
    case "update":
      return client.update(withStatus);
    case "patch":
      return client.patch(withStatus, mergeFrom(known));
    case "lock":
      return resourceVersion
        ? client.patch(withReplicas, mergeFrom(known, { optimisticLock: true }))
        : undefined;
    case "json":
      return client.patch(known, rawPatch("json", [{ op: "replace", path: "/spec/replicas", value }]));
    case "status":
      return client.status.update(withStatus);
    case "hold":
      return client.update(withFinalizers([`example.com/${value}`]));
    case "release":
      return client.update(withFinalizers([]));
    case "delete":
      return void (await client.delete(known));
    case "guarded":
      return void (await client.delete(known, {
        preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
      }));
  }
}

function view({ metadata, spec, status }: Deployment, before: KubeObject["metadata"]) {
  return {
    name: metadata?.name ?? "",
    generation: metadata?.generation,
    finalizers: metadata?.finalizers ?? [],
    going: metadata?.deletionTimestamp !== undefined,
    replicas: spec?.replicas,
    observed: status?.observedGeneration,
    isSameObject: metadata?.uid === before?.uid,
    isSameVersion: metadata?.resourceVersion === before?.resourceVersion,
  };
}

let server: Awaited<ReturnType<typeof startApiServer>>;
let connection: ReturnType<typeof createClient>;
beforeAll(async () => {
  server = await startApiServer();
  connection = createClient(server.kubeConfig());
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

test("the fake client answers any requests as the API server does", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (script) => {
      const namespace = `run-${run++}`;
      await connection.resource(namespaces).create({ metadata: { name: namespace } });
      const real = await play(createObjectClient(connection), namespace, script);
      expect(await play(createFakeClient(), namespace, script)).toEqual(real);
    }),
    { numRuns: 60 },
  );
});

test("the fake client answers any applies as the API server does", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(applyScript, async (script) => {
      const namespace = `apply-${run++}`;
      await connection.resource(namespaces).create({ metadata: { name: namespace } });
      const real = await playApplyScript(createObjectClient(connection), namespace, script);
      expect(await playApplyScript(createFakeClient(), namespace, script)).toEqual(real);
    }),
    { numRuns: 60, seed: 1 },
  );
});
