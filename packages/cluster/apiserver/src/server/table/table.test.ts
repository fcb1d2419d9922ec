import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toScaleTable } from "../../kinds/autoscaling/scale-table.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { createServedKinds } from "../../served-kinds.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { RecordedTable } from "./recorded/recorded.ts";
import { createSampleRegistry } from "./recorded/samples.ts";
import { type Table, type TableOptions, toTable } from "./table.ts";

const tables = await readFile(join(import.meta.dirname, "generated/tables.json"), "utf8");
const recorded = JSON.parse(tables) as RecordedTable[];
const registry = createSampleRegistry();

function typeOf(group: string, version: string, plural: string): ResourceType {
  const type = registry.find(group, version, plural);
  if (type === undefined) throw new Error(`${plural} is not served`);
  return type;
}

const kindOf = createServedKinds({
  authorize: () => ({ allowed: true }),
  rbac: { rulesFor: () => ({ rules: [], errors: [] }), roleRules: () => [] },
  webhooks: { post: () => Promise.reject(new Error("no webhook is expected")), close() {} },
  uuid: () => "",
});

function tableOf(objects: readonly ApiObject[], type: ResourceType, options: TableOptions): Table {
  return toTable(objects, kindOf(type).columns(registry), options);
}

describe.each(recorded)("the Table of $group/$version $plural", ({ group, version, plural, now, table }) => {
  it("has the columns of a real server", () => {
    const own = tableOf([], typeOf(group, version, plural), { now });
    expect(own.columnDefinitions).toEqual(table.columnDefinitions);
    expect(own.rows).toEqual([]);
  });

  it.each(table.rows.map((row) => ({ name: row.object?.metadata.name, row })))("prints $name", ({ row }) => {
    const object = row.object as ApiObject;
    const own = tableOf([object], typeOf(group, version, plural), { now, includeObject: "Object" });
    expect(own.rows).toEqual([row]);
  });
});

const namespace: ApiObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "a", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z" },
  status: { phase: "Active" },
};
const now = Date.parse("2026-01-01T00:03:49Z");

describe("a Table", () => {
  const type = typeOf("", "v1", "namespaces");

  it("of one object has its resourceVersion, of a list that of the list", () => {
    expect(tableOf([namespace], type, { now }).metadata).toEqual({ resourceVersion: "7" });
    const metadata = { resourceVersion: "9", continue: "more", remainingItemCount: 3 };
    expect(tableOf([namespace], type, { now, metadata }).metadata).toEqual(metadata);
    expect(tableOf([], type, { now }).metadata).toEqual({});
  });

  it("contains as much of the objects as requested", () => {
    const embedded = (includeObject?: "None" | "Metadata" | "Object"): unknown => {
      return tableOf([namespace], type, { now, ...(includeObject && { includeObject }) }).rows[0]?.object;
    };
    const partial = {
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: namespace.metadata,
    };
    expect(embedded()).toEqual(partial);
    expect(embedded("Metadata")).toEqual(partial);
    expect(embedded("Object")).toEqual(namespace);
    expect(embedded("None")).toBeNull();
  });

  it("has no column definitions in the later events of a watch", () => {
    const table = tableOf([namespace], type, { now, headers: false });
    expect(table.columnDefinitions).toBeNull();
    expect(table.rows[0]?.cells).toEqual(["a", "Active", "3m49s"]);
  });

  it.each(
    registry.resources().map((entry) => ({ path: `${entry.group}/${entry.version}/${entry.plural}`, entry })),
  )("of $path prints an object of which nothing but the kind is known", ({ entry }) => {
    const bookmark: ApiObject = { apiVersion: "v1", kind: entry.kind, metadata: { resourceVersion: "1" } };
    const table = tableOf([bookmark], entry, { now });
    expect(table.rows).toHaveLength(1);
    if (entry.verbs.includes("list")) {
      expect(table.rows[0]?.cells).toHaveLength(table.columnDefinitions?.length ?? 0);
    }
  });
});

it("prints a Scale like a real server", () => {
  const scale = {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "web", resourceVersion: "393", creationTimestamp: "2026-01-01T00:03:48Z" },
    spec: { replicas: 2 },
    status: { replicas: 0 },
  };
  const table = toScaleTable(scale, registry, { now });
  expect(table.metadata).toEqual({ resourceVersion: "393" });
  expect(table.columnDefinitions?.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "Name string",
    "Desired integer",
    "Available integer",
    "Age string",
  ]);
  expect(table.columnDefinitions?.[1]?.description).toBe(
    "replicas is the desired number of instances for the scaled object.",
  );
  expect(table.rows[0]?.cells).toEqual(["web", 2, 0, "1s"]);
});
