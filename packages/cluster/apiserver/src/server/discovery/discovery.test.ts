import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedResources, unservedSubresources } from "../../kinds/served.ts";
import { createSampleRegistry } from "../table/recorded/samples.ts";
import { discoveryDocument } from "./discovery.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const BETA = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
/** The Accept header of kubectl. */
const KUBECTL = `${AGGREGATED},${BETA},application/json`;

interface Aggregated {
  items: { metadata: { name?: string }; versions: { version: string; resources: AggregatedResource[] }[] }[];
}
interface AggregatedResource {
  resource: string;
  subresources?: { subresource: string }[];
}

const text = await readFile(join(import.meta.dirname, "generated/documents.json"), "utf8");
const recorded = JSON.parse(text) as Record<string, unknown>;
const registry = createSampleRegistry();
const customGroups = new Set(registry.resources().flatMap((type) => (type.custom ? [type.group] : [])));

function read(path: string, accept = "application/json"): unknown {
  const document = discoveryDocument(path, accept, registry);
  return document === undefined ? undefined : JSON.parse(Buffer.from(document.body).toString());
}

/** Returns the part of a recorded document that this server serves. */
function onlyServed(real: Aggregated): Aggregated["items"] {
  return real.items
    .map((group) => ({
      ...group,
      versions: group.versions
        .map((entry) => ({
          ...entry,
          resources: entry.resources
            .filter(({ resource }) => serves(group.metadata.name ?? "", entry.version, resource))
            .map(withoutUnserved),
        }))
        .filter(({ resources }) => resources.length > 0),
    }))
    .filter(({ versions }) => versions.length > 0);
}

function serves(group: string, version: string, resource: string): boolean {
  const [plural = ""] = resource.split("/");
  if (customGroups.has(group)) return true;
  return (
    servedResources[`${group}/${version}`]?.includes(plural) === true &&
    !unservedSubresources.includes(resource)
  );
}

function withoutUnserved({ subresources, ...entry }: AggregatedResource): AggregatedResource {
  const left = subresources?.filter(({ subresource }) => {
    return !unservedSubresources.includes(`${entry.resource}/${subresource}`);
  });
  return left === undefined || left.length === 0 ? entry : { ...entry, subresources: left };
}

describe("discovery equals a real server's, for what is served here", () => {
  it.each(["/api", "/apis"])("aggregated, of %s", (path) => {
    const real = recorded[`${path} ${AGGREGATED}`] as Aggregated;
    expect(read(path, KUBECTL)).toEqual({ ...real, items: onlyServed(real) });
  });

  it.each(["/api/v1", "/apis/apps/v1", "/apis/events.k8s.io/v1", "/apis/forge.example.com/v1alpha1"])(
    "plain, of %s",
    (path) => {
      const real = recorded[`${path} application/json`] as { resources: { name: string }[] };
      const [group = "", version = ""] = path === "/api/v1" ? ["", "v1"] : path.split("/").slice(2);
      const resources = real.resources.filter(({ name }) => serves(group, version, name));
      expect(read(path)).toEqual({ ...real, resources });
    },
  );

  it.each(["/apis/apps", "/apis/forge.example.com"])("of the group %s", (path) => {
    expect(read(path)).toEqual(recorded[`${path} application/json`]);
  });

  it("of the groups, in the same order", () => {
    interface Groups {
      groups: { name: string; versions: { groupVersion: string }[] }[];
    }
    const real = recorded["/apis application/json"] as Groups;
    const own = read("/apis") as Groups;
    const names = own.groups.map(({ name }) => name);
    const served = ({ groupVersion }: { groupVersion: string }) =>
      customGroups.has(groupVersion.split("/")[0] ?? "") || Object.hasOwn(servedResources, groupVersion);
    const expected = real.groups
      .filter(({ name }) => names.includes(name))
      .map((group) => ({ ...group, versions: group.versions.filter(served) }));
    expect(own.groups).toEqual(expected);
    expect(names).toContain("apps");
  });
});

describe("negotiation", () => {
  it("prefers the first type of the client", () => {
    const type = (accept: string): string | undefined => {
      return discoveryDocument("/apis", accept, registry)?.headers["content-type"];
    };
    expect(type(KUBECTL)).toBe(AGGREGATED);
    expect(type(`${BETA},application/json`)).toBe(BETA);
    expect(type(`application/json,${AGGREGATED}`)).toBe("application/json");
    expect(type("")).toBe("application/json");
    expect(type("application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList")).toBe(
      "application/json",
    );
    expect((read("/apis", BETA) as { apiVersion: string }).apiVersion).toBe("apidiscovery.k8s.io/v2beta1");
  });

  it("has no document for unserved paths", () => {
    for (const path of [
      "/apis/nope",
      "/apis/apps/v2",
      "/api/v2",
      "/apis/",
      "/api/v1/pods",
      "/version",
      "/",
      "",
    ]) {
      expect(discoveryDocument(path, "application/json", registry)).toBeUndefined();
    }
  });
});

describe("a change of custom resources", () => {
  it("changes only the aggregated document and its ETag", () => {
    const own = createSampleRegistry();
    const before = discoveryDocument("/apis", KUBECTL, own);
    const core = discoveryDocument("/api", KUBECTL, own);
    own.removeCustomTypes("hammers.forge.example.com");
    const after = discoveryDocument("/apis", KUBECTL, own);
    expect(after?.headers.etag).not.toBe(before?.headers.etag);
    expect(Buffer.from(after?.body ?? []).toString()).not.toContain("hammers");
    expect(Buffer.from(before?.body ?? []).toString()).toContain("hammers");
    expect(discoveryDocument("/api", KUBECTL, own)?.headers.etag).toBe(core?.headers.etag);
  });
});
