import type { Schema } from "../schema/schema.ts";

// Messages about wrong types name Go types. Clients and their authors know these messages, so the names are
// rebuilt here from the schema. A schema does not contain named string types (`v1.Protocol`), so they are
// called `string`.

/** Returns `Container` for `io.k8s.api.core.v1.Container`. */
export function structName(ref: string): string {
  return ref.slice(ref.lastIndexOf(".") + 1);
}

/** Returns the Go type of a schema in the API's source: `[]v1.Container`, `map[string]string`, `int32`. */
export function goType(schema: Schema): string {
  if (schema.ref !== undefined) {
    const parts = schema.ref.split(".");
    const name = parts.slice(-2).join(".");
    if (name === "resource.Quantity") return name;
    if (name === "intstr.IntOrString") return "int32";
    if (schema.type === "object" || schema.type === undefined) return name;
  }
  switch (schema.type) {
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "string":
      return schema.format === "byte" ? "[]uint8" : "string";
    case "array":
      return `[]${schema.items === undefined ? "interface {}" : goType(schema.items)}`;
    default: {
      const { additionalProperties } = schema;
      if (typeof additionalProperties !== "object") return "map[string]interface {}";
      const element = goType(additionalProperties);
      // This is the only named map type of the API.
      return element === "resource.Quantity" ? "v1.ResourceList" : `map[string]${element}`;
    }
  }
}

/** Returns the name of a JSON value's type in encoding/json. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

/** Structs that Go embeds. Their name is in the path, but not in the JSON. */
const embedded: Record<string, { struct: string; members: Set<string> | "all but name" }> = {
  Probe: { struct: "ProbeHandler", members: new Set(["exec", "httpGet", "tcpSocket", "grpc"]) },
  Volume: { struct: "VolumeSource", members: "all but name" },
  EphemeralContainer: { struct: "EphemeralContainerCommon", members: "all but name" },
};

/** Returns the path of a member as encoding/json writes it: `livenessProbe.ProbeHandler.httpGet`. */
export function goFieldPath(path: string, struct: string | undefined, key: string): string {
  const embedding = embedded[struct ?? ""];
  const inside =
    embedding !== undefined &&
    (embedding.members === "all but name"
      ? key !== "name" && key !== "targetContainerName"
      : embedding.members.has(key));
  const step = inside ? `${embedding.struct}.${key}` : key;
  return path === "" ? step : `${path}.${step}`;
}
