import { parseDocument, stringify } from "yaml";
import { CommandError } from "../command-error.ts";
import { checkDomain, checkGroup, checkKind, checkProjectName, checkRepo, checkVersion } from "./names.ts";

/** The layout that this scaffold has: kubebuilder's word for the plugins that made a project. */
export const layout = "typescript.operator-path/v1";

/** A kind of the project. Go: kubebuilder's resource.Resource. */
export interface ProjectResource {
  api?: { crdVersion: "v1"; namespaced?: true };
  controller?: true;
  /** One of Kubernetes' own. */
  core?: true;
  /** A kind of another project: its CustomResourceDefinition is not installed by this one. */
  external?: true;
  domain?: string;
  group: string;
  kind: string;
  /** Where its types are: `<repo>/api/v1alpha1`. */
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

/** What PROJECT says, version "3". */
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

/** The project with an entry: in the place of the one of this group, version and kind, or as its last. */
export function withResource(project: Project, entry: ProjectResource): Project {
  const resources = [...(project.resources ?? [])];
  const at = resources.findIndex((one) => isSameKind(one, entry));
  resources.splice(at === -1 ? resources.length : at, 1, entry);
  return { ...project, resources };
}

type GroupVersionKind = Pick<ProjectResource, "domain" | "group" | "version" | "kind">;

/** Whether objects of the kind are releases of a chart: there is no folder of types. */
export function isHelmApi({ api, path }: ProjectResource): boolean {
  return api !== undefined && path === undefined;
}

/** Whether the project defines the kind. It may also have controllers of Kubernetes' own kinds and of other projects'. */
export function isOwn({ core, external }: ProjectResource): boolean {
  return !core && !external;
}

export function isSameKind(one: GroupVersionKind, other: GroupVersionKind): boolean {
  const isOfDomain = one.domain === undefined || other.domain === undefined || one.domain === other.domain;
  return isOfDomain && one.group === other.group && one.version === other.version && one.kind === other.kind;
}

/** Keys in order, as kubebuilder writes them. */
export function formatProject(project: Project): string {
  return (
    head +
    stringify(project, { sortMapEntries: true, indentSeq: false, lineWidth: 0, defaultStringType: "PLAIN" })
  );
}

/** @throws CommandError when it is no PROJECT of this layout, naming line and column */
export function parseProject(text: string): Project {
  const document = parseDocument(text, { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem) {
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    const [what] = problem.message.split("\n");
    throw new CommandError(
      `PROJECT:${line}:${col}: ${what?.replace(/ at line.*$/, "")}: mend it, or take it from git`,
    );
  }
  const project = readValue(document) as Partial<Project> | null;
  if (typeof project !== "object" || project === null || String(project.version) !== "3") {
    throw new CommandError(`PROJECT:1:1: its version is not "3": this is no project of operator-sdk init`);
  }
  if (!Array.isArray(project.layout) || !project.layout.includes(layout)) {
    throw new CommandError(
      `PROJECT: its layout is ${JSON.stringify(project.layout ?? null)}, and not ${layout}: this project was made by another tool`,
    );
  }
  for (const key of ["domain", "projectName", "repo"] as const) {
    if (typeof project[key] !== "string")
      throw new CommandError(`PROJECT: ${key} is missing: take it from git`);
  }
  check("projectName", () => checkProjectName(project.projectName as string));
  check("domain", () => checkDomain(project.domain as string));
  check("repo", () => checkRepo(project.repo as string));
  if (project.multigroup !== undefined && typeof project.multigroup !== "boolean") {
    throw new CommandError("PROJECT: multigroup is neither true nor false: take it from git");
  }
  if (project.resources !== undefined && !Array.isArray(project.resources)) {
    throw new CommandError("PROJECT: resources is no list: take it from git");
  }
  for (const [index, one] of (project.resources ?? []).entries()) {
    const { group, version, kind } = (one ?? {}) as Partial<ProjectResource>;
    if (![group, version, kind].every((each) => typeof each === "string")) {
      throw new CommandError(`PROJECT: resources[${index}] has no group, version and kind: take it from git`);
    }
    // They become parts of paths.
    const place = `resources[${index}]`;
    check(place, () => checkGroup(group as string));
    check(place, () => checkVersion(version as string));
    check(place, () => checkKind(kind as string));
  }
  return { ...(project as Project), version: "3" };
}

/** What is said of a flag, said of PROJECT. */
function check(key: string, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    throw new CommandError(`PROJECT: ${key}: ${(error as Error).message.replace(/^--/, "")}`);
  }
}

function readValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    // Aliases are for people; a hundred are enough for any.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CommandError(`PROJECT: ${(error as Error).message}: take it from git`);
  }
}
