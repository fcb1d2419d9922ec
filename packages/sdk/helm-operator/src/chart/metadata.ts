import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { parseYamlDocuments, YamlError } from "../yaml/parse-yaml.ts";
import { ChartError } from "./chart-error.ts";

export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
}

/** What helm takes for a version: semver, of which minor and patch may be missing, and a `v` may stand before. */
const version =
  /^v?\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * A Chart.yaml.
 *
 * @param file for messages
 * @throws ChartError naming the field
 */
export function parseMetadata(text: string, file: string): ChartMetadata {
  const table = parse(text, file);
  const name = textOf(own(table, "name"));
  if (name === undefined || name === "") throw new ChartError(`${file}: name is missing: add name: my-chart`);
  if (name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new ChartError(`${file}: name ${JSON.stringify(name)} is no name of a chart`);
  }
  const itsVersion = textOf(own(table, "version"));
  if (itsVersion === undefined || itsVersion === "") {
    throw new ChartError(`${file}: version is missing: add version: 0.1.0`);
  }
  if (!version.test(itsVersion)) {
    throw new ChartError(
      `${file}: version ${JSON.stringify(itsVersion)} is no semantic version: 1.2.3 is one`,
    );
  }
  if (own(table, "type") === "library") {
    throw new ChartError(`${file}: ${name} is a library chart, which other charts use and nobody installs`);
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
  throw new ChartError(`${file} is no table of fields: name, version and apiVersion are what it needs`);
}

/** A number or a truth value in the place of a text becomes one, as helm's library has it. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? undefined : String(value);
}
