import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addCustomResource } from "../../apiextensions/custom-types.ts";
import { customDocument } from "../../apiextensions/openapi/document.ts";
import type { RawSchema } from "../../apimachinery/schema/schema.ts";
import type { PublishedDocument } from "../discovery/discovery.ts";
import { createSampleRegistry, sampleDefinitions } from "../table/recorded/samples.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { openapiDocument } from "./openapi.ts";

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, RawSchema> };
  /** In recorded documents: the definitions of Kubernetes that they contained. */
  builtIn?: string[];
}
interface Index {
  paths: Record<string, { serverRelativeURL: string }>;
}

const text = await readFile(join(import.meta.dirname, "generated/documents.json"), "utf8");
const recorded = JSON.parse(text) as Record<string, Document>;
const registry = createSampleRegistry();

function documentAt(path: string, of: TypeRegistry): PublishedDocument | undefined {
  return openapiDocument(path, { registry: of, customDocument });
}

function parse<T>(document: PublishedDocument | undefined): T {
  if (document === undefined) throw new Error("no such document");
  return JSON.parse(Buffer.from(document.body).toString()) as T;
}

describe("the document of custom resources", () => {
  it.each(Object.keys(recorded))("%s equals a real server's", (path) => {
    const { builtIn, ...real } = recorded[path] ?? { paths: {}, components: { schemas: {} } };
    const own = parse<Document>(documentAt(path, registry));
    const names = Object.keys(own.components.schemas).filter((name) => name.startsWith("io.k8s."));
    for (const name of names) delete own.components.schemas[name];
    expect(own).toEqual(real);
    expect(names.sort()).toEqual([...(builtIn ?? [])].sort());
  });
});

describe("the document of built-in resources", () => {
  const core = parse<Document>(documentAt("/openapi/v3/api/v1", registry));

  it("shows kubectl that a Pod can be patched and its fields validated", () => {
    expect(core.paths["/api/v1/namespaces/{namespace}/pods/{name}"]?.patch).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ name: "fieldValidation" })]),
      "x-kubernetes-group-version-kind": { group: "", version: "v1", kind: "Pod" },
    });
  });

  it("describes the kinds", () => {
    const pod = core.components.schemas["io.k8s.api.core.v1.Pod"];
    expect(pod?.["x-kubernetes-group-version-kind"]).toEqual([{ group: "", version: "v1", kind: "Pod" }]);
    expect(pod?.description).toMatch(/^Pod is a collection of containers/);
  });

  it("has no unserved path", () => {
    const paths = Object.keys(core.paths);
    expect(paths).toContain("/api/v1/namespaces/{namespace}/pods/{name}/exec");
    expect(paths).toContain("/api/v1/namespaces/{name}/finalize");
    expect(paths).toContain("/api/v1/namespaces/{namespace}/services/{name}/proxy/{path}");
    expect(paths.filter((path) => /watch|replicationcontrollers|resize/.test(path))).toEqual([]);
  });

  it.each(Object.keys(parse<Index>(documentAt("/openapi/v3", registry)).paths))(
    "%s only refers to definitions that it contains",
    (name) => {
      const document = parse<Document>(documentAt(`/openapi/v3/${name}`, registry));
      const references = new Set<string>();
      JSON.stringify(document, (key, value: unknown) => {
        // JSONSchemaProps has a field of that name.
        if (key === "$ref" && typeof value === "string")
          references.add(value.replace("#/components/schemas/", ""));
        return value;
      });
      const missing = [...references].filter((reference) => !(reference in document.components.schemas));
      expect(missing).toEqual([]);
    },
  );
});

describe("the index", () => {
  const address = (name: string, of = registry): string => {
    return parse<Index>(documentAt("/openapi/v3", of)).paths[name]?.serverRelativeURL ?? "";
  };

  it("links to each document, which clients may cache until its hash changes", () => {
    const url = address("apis/apps/v1");
    expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const document = documentAt(url, registry);
    expect(document?.headers["cache-control"]).toBe("public, immutable");
    expect(document?.headers.etag).toBe(`"${url.split("=")[1]}"`);
    expect(documentAt("/openapi/v3/apis/apps/v1?hash=ABC", registry)?.headers["cache-control"]).toBe(
      "no-cache, private",
    );
  });

  it("has a new hash only for a changed definition", () => {
    const own = createSampleRegistry();
    const [hammer] = sampleDefinitions().filter(({ spec }) => spec.names.kind === "Hammer");
    const [version] = hammer?.spec.versions ?? [];
    if (hammer === undefined || version?.schema?.openAPIV3Schema === undefined) throw new Error("no Hammer");
    const custom = address("apis/forge.example.com/v1", own);
    version.schema.openAPIV3Schema.description = "Hammer hits hard.";
    addCustomResource(own, hammer);
    expect(address("apis/forge.example.com/v1", own)).not.toBe(custom);
    expect(address("apis/forge.example.com/v1alpha1", own)).toBe(
      address("apis/forge.example.com/v1alpha1", registry),
    );
    expect(address("apis/apps/v1", own)).toBe(address("apis/apps/v1", registry));
    expect(documentAt(address("apis/forge.example.com/v1", own), own)?.body.toString()).toContain(
      "hits hard",
    );
  });

  it("does not contain OpenAPI v2 or any other path", () => {
    for (const path of [
      "/openapi/v2",
      "/openapi/v3/apis/nope/v1",
      "/openapi/v3/api/v2",
      "/openapi/v3x",
      "/openapi",
    ]) {
      expect(documentAt(path, registry)).toBeUndefined();
    }
  });
});
