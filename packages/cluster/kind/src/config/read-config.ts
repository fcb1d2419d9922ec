import { readFile } from "node:fs/promises";
import { isNode, isPair, LineCounter, type Pair, parseDocument, visit } from "yaml";
import { KindError } from "../errors/kind-error.ts";
import type { ReadKindConfig } from "./schema.ts";
import { checkConfig } from "./schema.ts";

/**
 * Reads and validates a kind-cluster.yaml.
 *
 * @throws KindError `bad-config` with file, line and field, or `file-missing`
 */
export async function readKindConfig(path: string): Promise<ReadKindConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const missing = code === "ENOENT";
    throw new KindError({
      problem: "file-missing",
      what: `${path} cannot be read`,
      cause: missing ? "there is no such file" : code,
      fix: "Check its path.",
    });
  }
  return parseKindConfig(text, path);
}

/** Parses and validates the text of a kind-cluster.yaml. `path` is for messages. */
export function parseKindConfig(text: string, path: string): ReadKindConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) throw badConfig(`${path}:${lines.linePos(broken.pos[0]).line}`, firstLine(broken.message));
  const result = checkConfig(document.toJS());
  if ("config" in result) return result.config;
  const offset = offsetOf(document, result.problem.path);
  const line = offset === undefined ? 1 : lines.linePos(offset).line;
  throw badConfig(`${path}:${line}`, `${fieldName(result.problem.path)}: ${result.problem.words}`);
}

/** Builds the error. `what` is a place: `kind-cluster.yaml:5`, or a program's configuration. */
export function badConfig(what: string, cause: string): KindError {
  const fix = "See https://kind.sigs.k8s.io/docs/user/configuration/ for the valid fields.";
  return new KindError({ problem: "bad-config", what, cause, fix });
}

/** Formats a path: `nodes[1].role`. */
export function fieldName(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text.replace(/^\./, "") || "the document";
}

type Document = ReturnType<typeof parseDocument>;

/** Returns the position of the field's name, or of its closest parent in the file. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const node = document.getIn(part, true);
    if (isNode(node)) return keyOf(document, node)?.range?.[0] ?? node.range?.[0];
  }
  return undefined;
}

function keyOf(document: Document, value: unknown) {
  let found: Pair | undefined;
  visit(document, {
    Pair(_key, pair) {
      if (pair.value !== value) return undefined;
      found = pair;
      return visit.BREAK;
    },
  });
  return isPair(found) && isNode(found.key) ? found.key : undefined;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
