import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { ApiObject } from "../json.ts";
import type { CustomResourceDefinition } from "../types/custom.ts";
import type { TypeRegistry } from "../types/registry.ts";
import { createTypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { RecordedTable } from "./recorded/recorded.ts";
import { toTable } from "./table.ts";

const tables = await readFile(join(import.meta.dirname, "generated/tables.json"), "utf8");
const recorded = JSON.parse(tables) as RecordedTable[];
const objects = await readFile(join(import.meta.dirname, "recorded/objects.yaml"), "utf8");
const definition = parseAllDocuments(objects)
  .map((document) => document.toJS() as ApiObject)
  .find(({ kind }) => kind === "CustomResourceDefinition");

let registry: TypeRegistry;
beforeAll(() => {
  registry = createTypeRegistry();
  registry.addCustomResource(definition as unknown as CustomResourceDefinition);
});

function typeOf(group: string, version: string, plural: string): ResourceType {
  const type = registry.find(group, version, plural);
  if (type === undefined) throw new Error(`${plural} is not served`);
  return type;
}

describe.each(recorded)("the Table of $group/$version $plural", ({ group, version, plural, now, table }) => {
  it("has the columns that a real server states", () => {
    const own = toTable([], typeOf(group, version, plural), registry, { now });
    expect(own.columnDefinitions).toEqual(table.columnDefinitions);
    expect(own.rows).toEqual([]);
  });

  it.each(table.rows.map((row) => ({ name: row.object?.metadata.name, row })))("prints $name", ({ row }) => {
    const object = row.object as ApiObject;
    const own = toTable([object], typeOf(group, version, plural), registry, { now, includeObject: "Object" });
    expect(own.rows).toEqual([row]);
  });
});
