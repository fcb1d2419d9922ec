import { beforeEach, describe, expect, it } from "vitest";
import type {
  CustomResourceDefinition,
  CustomVersionSpec,
} from "../../apiextensions/custom-resource-definition.ts";
import { addCustomResource } from "../../apiextensions/custom-types.ts";
import { servedResources, unservedSubresources } from "../../kinds/served.ts";
import { createServedTypes } from "../../served-kinds.ts";
import { sampleDefinitions } from "../table/recorded/samples.ts";
import { readDiscovery, readKinds } from "./data.ts";
import type { TypeRegistry } from "./registry.ts";

let registry: TypeRegistry;
beforeEach(() => {
  registry = createServedTypes();
});

function sample(kind: string): CustomResourceDefinition {
  const found = sampleDefinitions().find(({ spec }) => spec.names.kind === kind);
  if (found === undefined) throw new Error(`no sample of ${kind}`);
  return found;
}

describe("built-in types", () => {
  it("are those of the list, all of which Kubernetes has", () => {
    const served = registry.resources().map(({ group, version, plural }) => `${group}/${version} ${plural}`);
    const listed = Object.entries(servedResources).flatMap(([version, plurals]) => {
      return plurals.map((plural) => `${version} ${plural}`);
    });
    expect([...served].sort()).toEqual([...listed].sort());
  });

  it("omit only subresources that Kubernetes has", () => {
    const all = readDiscovery().flatMap(({ versions }) => {
      return versions.flatMap(({ resources }) => resources.map(({ name }) => name));
    });
    for (const name of unservedSubresources) expect(all).toContain(name);
  });

  it("know their names, scope and subresources", () => {
    expect(registry.find("", "v1", "pods")).toMatchObject({
      kind: "Pod",
      listKind: "PodList",
      singular: "pod",
      shortNames: ["po"],
      categories: ["all"],
      namespaced: true,
      storage: true,
      subresources: [
        "attach",
        "binding",
        "ephemeralcontainers",
        "eviction",
        "exec",
        "log",
        "portforward",
        "proxy",
        "status",
      ],
    });
    const eviction = registry
      .find("", "v1", "pods")
      ?.subresourceTypes.find(({ name }) => name === "eviction");
    expect(eviction).toEqual({
      name: "eviction",
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    expect(registry.find("apps", "v1", "pods")).toBeUndefined();
  });

  it("store events of events.k8s.io as those of the core group", () => {
    const views = registry.resources().filter(({ plural }) => plural === "events");
    expect(views.map(({ group, storage }) => ({ group, storage }))).toEqual([
      { group: "", storage: true },
      { group: "events.k8s.io", storage: false },
    ]);
  });

  it("warn where a version is deprecated", () => {
    const warned = registry.resources().filter(({ deprecationWarning }) => deprecationWarning !== undefined);
    expect(warned.map(({ plural, deprecationWarning }) => [plural, deprecationWarning])).toEqual([
      ["endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
    ]);
  });

  it("have columns if they can be listed", () => {
    for (const type of registry.resources()) {
      expect(registry.columns(type) !== undefined, type.plural).toBe(type.verbs.includes("list"));
    }
  });
});

describe("schemas", () => {
  it("resolve references, with the field's own description", () => {
    const spec = registry.schema("apps", "v1", "Deployment")?.properties?.spec;
    const containers = spec?.properties?.template?.properties?.spec?.properties?.containers;
    expect(spec?.description).toBe("Specification of the desired behavior of the Deployment.");
    expect(containers?.["x-kubernetes-patch-merge-key"]).toBe("name");
    expect(containers?.items?.ref).toBe("io.k8s.api.core.v1.Container");
    expect(containers?.items?.properties?.image?.type).toBe("string");
  });

  it("can be recursive", () => {
    const crd = registry.schema("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let schema =
      crd?.properties?.spec?.properties?.versions?.items?.properties?.schema?.properties?.openAPIV3Schema;
    for (let depth = 0; depth < 20; depth += 1) schema = schema?.properties?.not;
    expect(schema?.properties?.pattern?.type).toBe("string");
  });

  it("exist for the bodies of subresources, but not for unknown kinds", () => {
    expect(registry.schema("autoscaling", "v1", "Scale")?.properties?.spec?.properties?.replicas?.type).toBe(
      "integer",
    );
    expect(registry.schema("policy", "v1", "Eviction")?.properties?.deleteOptions).toBeDefined();
    expect(registry.schema("", "v1", "DeleteOptions")?.properties?.propagationPolicy).toBeDefined();
    expect(registry.schema("authentication.k8s.io", "v1", "TokenRequest")).toBeDefined();
    for (const kind of ["Nope", "constructor", "__proto__"]) {
      expect(registry.schema("", "v1", kind)).toBeUndefined();
      expect(registry.schema(kind, "v1", kind)).toBeUndefined();
    }
  });

  it("exist for every kind of the data", () => {
    for (const [groupVersion, kinds] of Object.entries(readKinds())) {
      const [group = "", version = ""] = groupVersion.split("/");
      for (const kind of Object.keys(kinds)) {
        expect(registry.schema(group, version, kind)?.ref, `${groupVersion} ${kind}`).toBe(kinds[kind]);
      }
    }
  });
});

describe("custom resources", () => {
  it("are types of each served version, the preferred one first", () => {
    addCustomResource(registry, sample("Hammer"));
    const types = registry.resources().filter(({ group }) => group === "forge.example.com");
    expect(types.map(({ version, storage }) => ({ version, storage }))).toEqual([
      { version: "v1", storage: true },
      { version: "v1alpha1", storage: false },
    ]);
    expect(registry.find("forge.example.com", "v1", "hammers")).toMatchObject({
      kind: "Hammer",
      listKind: "HammerList",
      singular: "hammer",
      shortNames: ["hm"],
      categories: ["all", "tools"],
      namespaced: true,
      subresources: ["status", "scale"],
      custom: { definition: "hammers.forge.example.com" },
    });
    expect(registry.find("forge.example.com", "v1alpha1", "hammers")?.subresources).toEqual([]);
  });

  it("warn of a deprecated version, and name a better one", () => {
    const warnings = (change: (versions: CustomVersionSpec[]) => void): (string | undefined)[] => {
      const crd = sample("Hammer");
      change(crd.spec.versions);
      addCustomResource(registry, crd);
      const types = registry.resources().filter(({ group }) => group === "forge.example.com");
      return types.map(({ deprecationWarning }) => deprecationWarning);
    };
    const deprecate = (versions: CustomVersionSpec[], ...names: string[]): void => {
      for (const version of versions) version.deprecated = names.includes(version.name);
    };
    expect(warnings((versions) => deprecate(versions, "v1alpha1"))).toEqual([
      undefined,
      "forge.example.com/v1alpha1 Hammer is deprecated; use forge.example.com/v1 Hammer",
    ]);
    expect(warnings((versions) => deprecate(versions, "v1", "v1alpha1"))).toEqual([
      "forge.example.com/v1 Hammer is deprecated",
      "forge.example.com/v1alpha1 Hammer is deprecated",
    ]);
    const own = "Use a mallet.";
    expect(
      warnings((versions) => {
        deprecate(versions, "v1");
        for (const version of versions) version.deprecationWarning = own;
      }),
    ).toEqual([own, undefined]);
  });

  it("have a schema with the fields of every object", () => {
    addCustomResource(registry, sample("Hammer"));
    const schema = registry.schema("forge.example.com", "v1", "Hammer");
    expect(schema?.properties?.metadata?.properties?.finalizers?.type).toBe("array");
    expect(schema?.properties?.apiVersion?.description).toMatch(/^APIVersion defines/);
    expect(schema?.properties?.spec?.properties?.parts?.items?.properties?.name?.pattern).toBe("^[a-z]+$");
    expect(registry.schema("forge.example.com", "v2", "Hammer")).toBeUndefined();
  });

  it("replace the previous types of their definition", () => {
    const crd = sample("Hammer");
    addCustomResource(registry, crd);
    for (const version of crd.spec.versions) version.served = version.name === "v1beta1";
    addCustomResource(registry, crd);
    expect(registry.find("forge.example.com", "v1", "hammers")).toBeUndefined();
    expect(registry.schema("forge.example.com", "v1", "Hammer")).toBeUndefined();
    expect(registry.find("forge.example.com", "v1beta1", "hammers")).toBeDefined();
  });

  it("notify listeners of every change, until these are removed", () => {
    const seen: number[] = [];
    const stop = registry.onChange(() => seen.push(registry.revision));
    addCustomResource(registry, sample("Hammer"));
    addCustomResource(registry, sample("Anvil"));
    registry.removeCustomTypes("hammers.forge.example.com");
    registry.removeCustomTypes("hammers.forge.example.com");
    stop();
    registry.removeCustomTypes("anvils.forge.example.com");
    expect(seen).toEqual([1, 2, 3]);
    expect(registry.resources().filter(({ custom }) => custom !== undefined)).toEqual([]);
  });
});
