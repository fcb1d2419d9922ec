import { configMaps, defineResource, type KubeObject, type Resource } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createSharedInformerOn } from "./shared-informer.ts";
import { createScriptedSource, refusal } from "./testing/scripted-source.ts";

const things = defineResource({
  ...{ group: "example.com", version: "v1", kind: "Thing", plural: "things", namespaced: true },
});

test.each([
  [
    things,
    404,
    " (does the server have things in example.com/v1? If not, apply the CustomResourceDefinition things.example.com)",
  ],
  [configMaps, 404, " (does the server have configmaps in v1?)"],
  [things, 403, ""],
])("%s: logs what to check after a %i", async (resource, code, hint) => {
  const stop = new AbortController();
  const first = Promise.withResolvers<string>();
  const { source } = createScriptedSource([{ refuse: refusal(code, "no") }]);
  const informer = createSharedInformerOn(source, resource as Resource<KubeObject>, {
    ...{ clock: createFakeClock(), random: () => 1, watchList: false, log: first.resolve },
  });
  const run = informer.run(stop.signal);
  expect(await first.promise).toBe(`informer of ${resource.plural}: ${code} no; trying again${hint}`);
  stop.abort();
  await run;
});
