import { genericFailure, notAcceptable } from "../../apimachinery/errors.ts";

/** The representation that a client requests: objects, rows of a Table, or only metadata. */
export interface Representation {
  as: "object" | "Table" | "PartialObjectMetadata";
  format: "json" | "yaml";
}

interface MediaRange {
  type: string;
  parameters: Map<string, string>;
}

/**
 * Parses the ranges of an Accept header in order of preference. Quality values only override the order of the
 * list.
 */
export function parseAccept(header: string | undefined): MediaRange[] {
  const ranges = (header ?? "*/*").split(",").map((range) => {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim());
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const equals = parameter.indexOf("=");
      if (equals > 0) parameters.set(parameter.slice(0, equals).toLowerCase(), parameter.slice(equals + 1));
    }
    return { type: type.toLowerCase(), parameters };
  });
  const quality = (range: MediaRange) => Number(range.parameters.get("q") ?? 1);
  return ranges.sort((a, b) => quality(b) - quality(a));
}

const formats: Record<string, Representation["format"]> = {
  "*/*": "json",
  "application/*": "json",
  "application/json": "json",
  "application/yaml": "yaml",
};

/**
 * Chooses the representation. Skips protobuf if another type is acceptable, as client-go always says.
 *
 * @param isRoute whether the path is a route of go-restful, which has its own answer to an unknown type. Paths of
 *   custom resources are not.
 * @throws ApiStatusError 406
 */
export function negotiate(accept: string | undefined, isRoute = false): Representation {
  const ranges = parseAccept(accept === "" ? undefined : accept);
  for (const { type, parameters } of ranges) {
    const format = formats[type];
    if (format === undefined) continue;
    const as = parameters.get("as");
    if (as === undefined) return { as: "object", format };
    if (parameters.get("g") !== "meta.k8s.io" || !["v1", "v1beta1"].includes(parameters.get("v") ?? ""))
      continue;
    if (as === "Table") return { as, format };
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") {
      return { as: "PartialObjectMetadata", format };
    }
  }
  if (isRoute && ranges.every(({ type }) => formats[type] === undefined)) {
    throw genericFailure(
      406,
      "NotAcceptable",
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml",
    );
  }
  throw notAcceptable("only the following media types are accepted: application/json, application/yaml");
}

/** Returns the content type without parameters. Default: JSON. */
export function contentType(header: string | undefined): string {
  return (header ?? "").split(";")[0]?.trim().toLowerCase() || "application/json";
}
