import { expect, test } from "vitest";
import { ApiStatusError, badRequest } from "../../apimachinery/errors.ts";
import { createAdmissionPlugins } from "../../plugins/admission/plugins.ts";
import { createServedTypes } from "../../served-kinds.ts";
import type { ApiRequest } from "../http/request.ts";
import { createStore } from "../storage/store.ts";
import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "./admission.ts";
import { createAdmission } from "./chain.ts";

const registry = createServedTypes();

function scene(plural: string) {
  const store = createStore();
  store.create("namespaces", "default", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default" },
  });
  store.create("serviceaccounts", "default/default", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: "default" },
  });
  const type = registry.resources().find((one) => one.plural === plural);
  if (type === undefined) throw new Error(`no ${plural}`);
  const request = { warn() {}, signal: new AbortController().signal } as unknown as ApiRequest;
  const attributes: AdmissionAttributes = {
    operation: "CREATE",
    type,
    subresource: "",
    namespace: "default",
    name: "a",
    object: {
      apiVersion: "v1",
      kind: type.kind,
      metadata: { name: "a", namespace: "default" },
      spec: { containers: [{ name: "a", image: "x" }] },
    },
    old: undefined,
    options: {},
    user: { username: "jane", groups: [] },
    dryRun: false,
    request,
  };
  const context = { store, registry, random: () => 0, authorize: () => ({ allowed: true }) };
  return { attributes, context: context as unknown as AdmissionContext };
}

test.each(["configmaps", "pods", "services", "persistentvolumeclaims", "deployments"])(
  "writes %s without waiting when there are no webhooks, policies or quotas",
  (plural) => {
    const { attributes, context } = scene(plural);
    const admission = createAdmission(createAdmissionPlugins(), context);
    expect(admission.mutate(attributes)).toBeUndefined();
    expect(admission.validate(attributes)).toBeUndefined();
  },
);

test("calls plugins in order, waiting or not, up to the first refusal", async () => {
  const order: string[] = [];
  const plugin = (name: string, mutate: AdmissionPlugin["mutate"]): AdmissionPlugin => ({
    name,
    mutate(attributes, context) {
      order.push(name);
      return mutate?.(attributes, context);
    },
  });
  const { attributes, context } = scene("configmaps");
  const plugins = [
    plugin("at once", () => {}),
    plugin("waits", async () => {}),
    plugin("refuses", () => {
      throw badRequest("no");
    }),
    plugin("never asked", () => {}),
  ];
  const admission = createAdmission(plugins, context);
  await expect(admission.mutate(attributes)).rejects.toThrow(ApiStatusError);
  expect(order).toEqual(["at once", "waits", "refuses"]);
});
