import { expect, it } from "vitest";
import { fieldManagersOf } from "./field-managers.ts";

const entry = (manager: string, fieldsV1: object) => ({ manager, operation: "Update", fieldsV1 }) as const;

const object = {
  metadata: {
    managedFields: [
      entry("helm", { "f:spec": { "f:replicas": {}, "f:paused": {} } }),
      entry("keda", { "f:spec": { "f:replicas": {} } }),
      entry("hook", {
        "f:metadata": {
          "f:annotations": { ".": {}, "f:example.com/paused": {} },
          "f:finalizers": { 'v:"x"': {} },
        },
        "f:spec": { "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {} } } },
      }),
      entry("keda", { "f:spec": { "f:args": {} } }),
      { manager: "older" },
    ],
  },
};

it.each([
  ["spec.replicas", ["keda"]],
  ['metadata.annotations["example.com/paused"]', ["hook"]],
  ['metadata.finalizers["x"]', ["hook"]],
  ['spec.ports[port=80,protocol="TCP"].name', ["hook"]],
  ['spec.ports[port=80,protocol="TCP"]', ["hook"]],
  // An atomic list: the difference is in an item, the manager manages the list.
  ["spec.args[0]", ["keda"]],
  ["spec.paused", []],
  ["spec.replicasMax", []],
])("finds the managers of %s: %j", (path, managers) => {
  expect(fieldManagersOf(object, [path], ["helm"])).toEqual(managers);
});

it("names the managers of several fields once, in order", () => {
  expect(fieldManagersOf(object, ["spec.args", "spec.replicas", "spec.ports"], ["helm"])).toEqual([
    "hook",
    "keda",
  ]);
});
