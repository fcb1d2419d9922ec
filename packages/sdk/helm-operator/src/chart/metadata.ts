import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { ChartError } from "./chart-error.ts";

export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
}

/** A version that helm accepts: semver, in which minor and patch may be missing and a `v` may come first. */
const version =
  /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Parses a Chart.yaml.
 *
 * @param file for messages
 * @throws ChartError naming the field
 */
export function parseMetadata(text: string, file: string): ChartMetadata {
  const table = parse(text, file);
  const name = textOf(own(table, "name"));
  if (name === undefined || name === "") throw new ChartError(`${file}: name is missing: add name: my-chart`);
  if (name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new ChartError(`${file}: name ${JSON.stringify(name)} is not the name of a chart`);
  }
  const itsVersion = textOf(own(table, "version"));
  if (itsVersion === undefined || itsVersion === "") {
    throw new ChartError(`${file}: version is missing: add version: 0.1.0`);
  }
  if (!version.test(itsVersion)) {
    throw new ChartError(
      `${file}: version ${JSON.stringify(itsVersion)} is not a semantic version such as 1.2.3`,
    );
  }
  if (own(table, "type") === "library") {
    throw new ChartError(`${file}: ${name} is a library chart: only other charts can use it`);
  }
  const appVersion = textOf(own(table, "appVersion"));
  return { name, version: itsVersion, ...(appVersion !== undefined && { appVersion }) };
}

function parse(text: string, file: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseYamlDocuments(text, { uniqueKeys: false })[0]?.value ?? null;
  } catch (error) {
    if (error instanceof YamlError)
      throw new ChartError(`${file}:${error.line}:${error.column}: ${error.message}`);
    throw error;
  }
  if (isJsonObject(value)) return value;
  throw new ChartError(`${file} is not a table of fields: it needs name, version and apiVersion`);
}

/** Converts a number or boolean to text, as helm's library does. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? undefined : String(value);
}
