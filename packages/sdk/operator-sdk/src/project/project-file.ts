import { parseDocument, stringify } from "yaml";
import { CommandError } from "../command-error.ts";
import { openTree, type Tree } from "../scaffold/tree.ts";
import { checkDomain, checkGroup, checkKind, checkProjectName, checkRepo, checkVersion } from "./names.ts";

/**
 * The layout of projects in TypeScript. (kubebuilder calls the plugins that created a project its layout.)
 */
export const layout = "typescript.operator-path/v1";

/** A kind of the project. Go: kubebuilder's resource.Resource. */
export interface ProjectResource {
  api?: { crdVersion: "v1"; namespaced?: true };
  controller?: true;
  /** Whether the kind is built-in. */
  core?: true;
  /** Whether the kind belongs to another project, so this one does not install its CRD. */
  external?: true;
  domain?: string;
  group: string;
  kind: string;
  /** The folder of its types: `<repo>/api/v1alpha1`. */
  path?: string;
  version: string;
  webhooks?: {
    webhookVersion: "v1";
    defaulting?: true;
    validation?: true;
    conversion?: true;
    spoke?: string[];
  };
}

/** The content of PROJECT, version "3". */
export interface Project {
  domain: string;
  layout: string[];
  multigroup?: true;
  projectName: string;
  repo: string;
  resources?: ProjectResource[];
  version: "3";
}

const head = `# Written by operator-sdk: what was scaffolded, so that later commands know it.
# Leave it alone. Its format is https://book.kubebuilder.io/reference/project-config.html
`;

/** Returns the project with an entry. It replaces the entry of the same kind, or is added as the last one. */
export function withResource(project: Project, entry: ProjectResource): Project {
  const resources = [...(project.resources ?? [])];
  const at = resources.findIndex((one) => isSameKind(one, entry));
  resources.splice(at === -1 ? resources.length : at, 1, entry);
  return { ...project, resources };
}

type GroupVersionKind = Pick<ProjectResource, "domain" | "group" | "version" | "kind">;

/**
 * Returns whether a kind is a Helm API, whose objects are releases of a chart. Such a kind has no folder of
 * types.
 */
export function isHelmApi({ api, path }: ProjectResource): boolean {
  return api !== undefined && path === undefined;
}

/**
 * Returns whether the project defines the kind. A project can also control built-in kinds and those of other
 * projects.
 */
export function isOwn({ core, external }: ProjectResource): boolean {
  return !core && !external;
}

/**
 * Returns whether two entries have the same group, version and kind. Compares domains if both entries have
 * one.
 */
export function isSameKind(one: GroupVersionKind, other: GroupVersionKind): boolean {
  const isOfDomain = one.domain === undefined || other.domain === undefined || one.domain === other.domain;
  return isOfDomain && one.group === other.group && one.version === other.version && one.kind === other.kind;
}

/** Returns the text of PROJECT, with sorted keys as in kubebuilder. */
export function formatProject(project: Project): string {
  return (
    head +
    stringify(project, { sortMapEntries: true, indentSeq: false, lineWidth: 0, defaultStringType: "PLAIN" })
  );
}

/**
 * Parses PROJECT.
 *
 * @throws CommandError if it is invalid or has another layout; it names line and column where possible
 */
export function parseProject(text: string): Project {
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem) {
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    const [what] = problem.message.split("\n");
    throw new CommandError(
      `PROJECT:${line}:${col}: ${what?.replace(/ at line.*$/, "")}: fix it, or restore it from git`,
    );
  }
  const project = readValue(document) as Partial<Project> | null;
  if (typeof project !== "object" || project === null || String(project.version) !== "3") {
    throw new CommandError(`PROJECT:1:1: its version is not "3": create the project with operator-sdk init`);
  }
  if (!Array.isArray(project.layout) || !project.layout.includes(layout)) {
    throw new CommandError(
      `PROJECT: its layout is ${JSON.stringify(project.layout ?? null)}, not ${layout}: use the tool that created this project`,
    );
  }
  for (const key of ["domain", "projectName", "repo"] as const) {
    if (typeof project[key] !== "string")
      throw new CommandError(`PROJECT: ${key} is missing: restore it from git`);
  }
  check("projectName", () => checkProjectName(project.projectName as string));
  check("domain", () => checkDomain(project.domain as string));
  check("repo", () => checkRepo(project.repo as string));
  if (project.multigroup !== undefined && typeof project.multigroup !== "boolean") {
    throw new CommandError("PROJECT: multigroup is neither true nor false: restore it from git");
  }
  if (project.resources !== undefined && !Array.isArray(project.resources)) {
    throw new CommandError("PROJECT: resources is not a list: restore it from git");
  }
  for (const [index, one] of (project.resources ?? []).entries()) {
    const { group, version, kind } = (one ?? {}) as Partial<ProjectResource>;
    if (![group, version, kind].every((each) => typeof each === "string")) {
      throw new CommandError(
        `PROJECT: resources[${index}] has no group, version and kind: restore it from git`,
      );
    }
    // These names become parts of paths.
    const place = `resources[${index}]`;
    check(place, () => checkGroup(group as string));
    check(place, () => checkVersion(version as string));
    check(place, () => checkKind(kind as string));
  }
  return { ...(project as Project), version: "3" };
}

/** Runs the check of a flag on a value of PROJECT. @throws CommandError that names the place in PROJECT */
function check(key: string, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    throw new CommandError(`PROJECT: ${key}: ${(error as Error).message.replace(/^--/, "")}`);
  }
}

function readValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    // The limit prevents an alias bomb.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CommandError(`PROJECT: ${(error as Error).message}: restore it from git`);
  }
}

/**
 * Opens the project in a folder.
 *
 * @throws CommandError if there is no PROJECT, or if it is invalid
 */
export function openProject(folder: string): { project: Project; tree: Tree } {
  const tree = openTree(folder);
  const text = tree.read("PROJECT");
  if (text === undefined) {
    throw new CommandError(
      "there is no PROJECT in this folder: change to the project's folder, or create a project with operator-sdk init",
    );
  }
  return { project: parseProject(text), tree };
}
