import type { Entry, Page, Step } from "@operator-path/walkthrough";
import { parseAllDocuments } from "yaml";

/** A command that makes objects of a page again. */
export interface ObjectCommand {
  /** For bash, in the learner's folder. It may run again when the objects exist. */
  readonly command: string;
  /** The command as the page has it, without a heredoc. */
  readonly shown: string;
  /** Line of the page. */
  readonly line: number;
}

export interface PageObjectsOptions {
  /** Reads a file of a command: relative to the learner's folder, or absolute. Undefined if it is missing. */
  read(file: string): string | undefined;
  /** Value of TUTORIAL in the commands. */
  readonly tutorial: string;
}

/**
 * Returns the commands of a page that make objects which still exist after a step, in their order:
 * `kubectl apply`, `kubectl create` of files and namespaces, the current namespace, and `make install`, which
 * applies `config/crd`. Leaves out commands that the page expects to fail, missing files, and objects that a
 * later command deletes.
 *
 * @param until the last step
 */
export function objectCommands(page: Page, until: Step, options: PageObjectsOptions): ObjectCommand[] {
  const entries = page.steps
    .filter(({ line, cleanUp }) => line <= until.line && !cleanUp)
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "console" ? block.entries : [])))
    .filter(({ kind, expected }) => kind === "command" && (expected.exitStatus ?? 0) === 0);
  const all = entries.map((entry, at) => {
    const made = objectsOf(entry, options);
    const gone = made && entries.findIndex(({ text }, later) => later > at && deletes(text, made));
    return { entry, at, made, gone: gone ?? -1 };
  });
  return all.flatMap(({ entry, at, made, gone }) => {
    // Custom resources go with their definition.
    const isUndefined = all.some(
      (other) =>
        other.gone > at &&
        other.made?.objects.some(({ defines }) => made?.objects.some((o) => o.kind === defines)),
    );
    if (!made || gone !== -1 || isUndefined) return [];
    return [{ command: made.command, shown: entry.text.split("\n")[0] ?? "", line: entry.line }];
  });
}

interface Made {
  readonly command: string;
  /** The argument of `-f` or `-k`. */
  readonly file?: string;
  /** The objects, as far as they are known. */
  readonly objects: readonly MadeObject[];
}

interface MadeObject {
  readonly name: string;
  /** `<group>/<kind>`. The group of core kinds is empty. */
  readonly kind: string;
  /** The kind that a CustomResourceDefinition adds. */
  readonly defines?: string;
}

function objectsOf({ text }: Entry, options: PageObjectsOptions): Made | undefined {
  const [first = "", ...rest] = text.split("\n");
  if (/^make\b.*\sinstall\b/.test(first) && options.read("config/crd/kustomization.yaml") !== undefined)
    return { command: "kubectl apply -k config/crd", file: "config/crd", objects: [] };
  if (/[;&|`]/.test(first.replace(/^cat\b/, "|"))) return undefined;
  const namespace = /^kubectl create (?:namespace|ns) (\S+)$/.exec(text)?.[1];
  if (namespace !== undefined) {
    const command = `kubectl get namespace ${namespace} >/dev/null 2>&1 || ${text}`;
    return { command, objects: [{ name: namespace, kind: "/Namespace" }] };
  }
  if (/^kubectl config set-context --current --namespace=\S+$/.test(text))
    return { command: text, objects: [] };
  const applied = /^kubectl\b.*\s(?:apply|create)\b.*\s-([fk])\s+(\S+)/.exec(first);
  if (!applied) return undefined;
  const [, flag, argument = ""] = applied;
  const command = text.replace(/\bcreate\b/, "apply");
  if (argument === "-") return { command, objects: objectsIn(rest.slice(0, -1).join("\n")) };
  const file = argument.replaceAll(/["']/g, "").replace(/^\$\{?TUTORIAL\}?/, options.tutorial);
  const content = options.read(flag === "k" ? `${file}/kustomization.yaml` : file);
  return content === undefined
    ? undefined
    : { command, file: argument, objects: flag === "k" ? [] : objectsIn(content) };
}

function deletes(command: string, { file, objects }: Made): boolean {
  if (file === "config/crd" && /^make\b.*\suninstall\b/.test(command)) return true;
  if (!/^kubectl\b.*\sdelete\b/.test(command)) return false;
  const words = command.split(/\s+/);
  return (
    (file !== undefined && words.includes(file)) ||
    words.some((word) => objects.some(({ name }) => name === word.replace(/^.*\//, "")))
  );
}

function objectsIn(yaml: string): MadeObject[] {
  const documents = parseAllDocuments(yaml);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const at = (...path: string[]): string => {
      const value: unknown = document.getIn(path);
      return typeof value === "string" ? value : "";
    };
    const name = at("metadata", "name");
    if (name === "") return [];
    const version = at("apiVersion");
    const kind = `${version.includes("/") ? version.replace(/\/.*/, "") : ""}/${at("kind")}`;
    if (at("kind") !== "CustomResourceDefinition") return [{ name, kind }];
    return [{ name, kind, defines: `${at("spec", "group")}/${at("spec", "names", "kind")}` }];
  });
}
