import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Entry, Page, Step } from "@operator-path/walkthrough";
import { parseAllDocuments, parseDocument } from "yaml";
import { changeOf, deletedBy, mayName, type NamedObject } from "./changes.ts";

/** A command that makes objects of a page again. */
export interface ObjectCommand {
  /** For bash, in the learner's folder. It may run again when the objects exist. */
  readonly command: string;
  /** The command as the page has it, without a heredoc. */
  readonly shown: string;
  /**
   * A command that only reads, and fails if the cluster lacks one of the objects. Of a kustomization, all of them.
   * Undefined: nothing to read.
   */
  readonly get: string | undefined;
  /** A later command such as `kubectl scale` changes one of the objects. Applying it again would undo that. */
  readonly isChanged: boolean;
  /** All objects are custom resources. What the learner has changed in one is no mistake. */
  readonly isCustom: boolean;
  /** The names of the objects, as far as they are known. */
  readonly names: readonly string[];
  /** What the command applies, for a message: its files, or the first object of its heredoc. */
  readonly applies: string;
  readonly step: Step;
  /** Line of the page. */
  readonly line: number;
}

export interface PageObjectsOptions {
  /** Reads a file of a command: relative to the learner's folder, or absolute. Undefined if it is missing. */
  read(file: string): string | undefined;
  /** Value of TUTORIAL in the commands. */
  readonly tutorial: string;
  /** The line of the page up to which commands that delete objects count. Default: `before`. */
  readonly until?: number;
}

/**
 * Returns the commands of a page that make objects which still exist after a step, in their order:
 * `kubectl apply`, `kubectl create` of files and namespaces, the current namespace, and `make install`, which
 * applies `config/crd`. Leaves out commands that the page expects to fail, missing files, and objects that a
 * later command deletes.
 *
 * @param before the line of the page at which they must exist. Commands from there on do not count
 */
export function objectCommands(page: Page, before: number, options: PageObjectsOptions): ObjectCommand[] {
  const entries = page.steps
    .filter(({ cleanUp }) => !cleanUp)
    .flatMap((step) =>
      step.blocks.flatMap((block) =>
        block.kind === "console" ? block.entries.map((entry) => ({ ...entry, step })) : [],
      ),
    )
    .filter(({ line }) => line < Math.max(before, options.until ?? before))
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
    if (!made || entry.line >= before || gone !== -1 || isUndefined) return [];
    const { command, get, files } = made;
    const applies = files.length > 0 ? files.join(", ") : nameOf(made.objects[0]);
    const { step, line } = entry;
    const names = made.objects.map(({ name }) => name);
    const isChanged = entries.slice(at + 1).some((later) => {
      const change = changeOf(later);
      return change !== undefined && made.objects.some((object) => mayName(change, namedObject(object)));
    });
    const shown = entry.text.split("\n")[0] ?? "";
    const isCustom = made.objects.length > 0 && made.objects.every(({ kind }) => isCustomKind(kind));
    return [{ command, shown, get, isChanged, isCustom, names, applies, step, line }];
  });
}

/** Returns a `read` for the files of a learner's project. */
export function readerOf(project: string): PageObjectsOptions["read"] {
  return (file) => {
    const path = resolve(project, file);
    return existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  };
}

/** Returns the line of a page at which a step ends. */
export function endOfStep({ steps }: Page, step: Step): number {
  return steps.find(({ line }) => line > step.line)?.line ?? Number.POSITIVE_INFINITY;
}

/** @param kind `<group>/<kind>` */
function isCustomKind(kind: string): boolean {
  const group = kind.replace(/\/[^/]*$/, "");
  return group.includes(".") && !group.endsWith(".k8s.io");
}

function nameOf(object: MadeObject | undefined): string {
  return object ? `${namedObject(object).type} ${object.name}` : "";
}

function namedObject({ kind, name }: MadeObject): NamedObject {
  return { type: kind.replace(/^.*\//, ""), name };
}

interface Made {
  readonly command: string;
  readonly get?: string;
  /** The arguments of `-f` and `-k`. */
  readonly files: readonly string[];
  /** The objects, as far as they are known. */
  readonly objects: readonly MadeObject[];
}

interface MadeObject {
  readonly name: string;
  /** `<group>/<kind>`. The group of core kinds is empty. */
  readonly kind: string;
  /** The object names its namespace. */
  readonly hasNamespace: boolean;
  /** The kind that a CustomResourceDefinition adds. */
  readonly defines?: string;
}

function objectsOf({ text }: Entry, options: PageObjectsOptions): Made | undefined {
  const [first = "", ...rest] = text.split("\n");
  if (/^make\b.*\sinstall\b/.test(first) && options.read("config/crd/kustomization.yaml") !== undefined) {
    const files = ["config/crd"];
    const objects = customized("config/crd", options);
    return {
      command: "kubectl apply -k config/crd",
      get: "kubectl get -k config/crd -o name",
      files,
      objects,
    };
  }
  if (/[;&|`]/.test(first.replace(/^cat\b/, "|")) || /\s--dry-run\b/.test(first)) return undefined;
  const namespace = /^kubectl create (?:namespace|ns) (\S+)$/.exec(text)?.[1];
  if (namespace !== undefined) {
    const get = `kubectl get namespace ${namespace}`;
    const command = `${get} >/dev/null 2>&1 || ${text}`;
    return {
      command,
      get,
      files: [],
      objects: [{ name: namespace, kind: "/Namespace", hasNamespace: false }],
    };
  }
  if (/^kubectl config set-context --current --namespace=\S+$/.test(text))
    return { command: text, files: [], objects: [] };
  const applied = /^kubectl\b.*\s(?:apply|create)\b/.test(first)
    ? [...first.matchAll(/\s-([fk])\s+(\S+)/g)].map(([, flag = "", argument = ""]) => ({ flag, argument }))
    : [];
  if (applied.length === 0) return undefined;
  const command = text.replace(/\bcreate\b/, "apply");
  const inNamespace = /\s(?:-n|--namespace)[= ](\S+)/.exec(first)?.[0] ?? "";
  const sources = applied.map(({ flag, argument }) => ` -${flag} ${argument}`).join("");
  const get = `kubectl get${sources}${inNamespace} -o name`;
  if (applied.some(({ argument }) => argument === "-")) {
    const marker = /<<.*$/.exec(first)?.[0] ?? "";
    const objects = objectsIn(rest.slice(0, -1).join("\n"));
    return { command, get: [`${get} ${marker}`, ...rest].join("\n"), files: [], objects };
  }
  const objects: MadeObject[] = [];
  for (const { flag, argument } of applied) {
    const file = pathIn(argument, options);
    const content = options.read(flag === "k" ? `${file}/kustomization.yaml` : file);
    if (content === undefined) return undefined;
    objects.push(...(flag === "k" ? customized(file, options) : objectsIn(content)));
  }
  const files = applied.map(({ argument }) => argument);
  const [only, another] = applied;
  const isKustomized = only?.flag === "k" && another === undefined;
  const getOne =
    isKustomized && isPlain(pathIn(only.argument, options), options) && getAny(objects, inNamespace);
  return { command, get: getOne || get, files, objects };
}

/** Returns the path that an argument of a command names. */
function pathIn(argument: string, { tutorial }: PageObjectsOptions): string {
  return argument.replaceAll(/["']/g, "").replace(/^\$\{?TUTORIAL\}?/, tutorial);
}

/**
 * Returns a command that fails if the cluster has none of a kustomization's objects. A later step may have added
 * some that are not applied yet, even of a version that is not served yet. Undefined if the namespaces are not known.
 */
function getAny(objects: readonly MadeObject[], inNamespace: string): string | undefined {
  if (objects.length === 0 || objects.some(({ hasNamespace }) => hasNamespace)) return undefined;
  const names = objects.map(({ kind, name }) => {
    const [group, of = ""] = kind.split("/");
    return `${of.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
  });
  // One by one: a kind that is not served fails the whole command.
  const gets = [...new Set(names)].map(
    (name) => `kubectl get ${name}${inNamespace} --ignore-not-found -o name 2>/dev/null`,
  );
  const found = `found=$(${gets.join("; ")}; :)`;
  return `kubectl get --raw /version >/dev/null && { ${found}; [ -n "$found" ] || { echo "(NotFound)"; false; }; }`;
}

/** Returns the objects of a kustomization's own files. */
function customized(folder: string, options: PageObjectsOptions): MadeObject[] {
  const { resources } = kustomizationIn(folder, options);
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((file) => objectsIn(options.read(`${folder}/${file}`) ?? ""));
}

/** Reports whether a kustomization only lists files, so that its objects keep their names and namespaces. */
function isPlain(folder: string, options: PageObjectsOptions): boolean {
  return Object.keys(kustomizationIn(folder, options)).every((key) =>
    /^(?:apiVersion|kind|resources)$/.test(key),
  );
}

function kustomizationIn(folder: string, { read }: PageObjectsOptions): Readonly<Record<string, unknown>> {
  return parseDocument(read(`${folder}/kustomization.yaml`) ?? "").toJS() ?? {};
}

function deletes(command: string, { files, objects }: Made): boolean {
  if (files.includes("config/crd") && /^make\b.*\sun(?:install|deploy)\b/.test(command)) return true;
  const deleted = deletedBy(command);
  return (
    files.some((file) => deleted.files.includes(file)) ||
    deleted.objects.some((one) => objects.some((object) => mayName(one, namedObject(object))))
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
    const hasNamespace = at("metadata", "namespace") !== "";
    if (at("kind") !== "CustomResourceDefinition") return [{ name, kind, hasNamespace }];
    return [{ name, kind, hasNamespace, defines: `${at("spec", "group")}/${at("spec", "names", "kind")}` }];
  });
}
