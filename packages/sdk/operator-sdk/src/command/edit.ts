import { parseDocument } from "yaml";
import { CommandError } from "../command-error.ts";
import { formatProject, isHelmApi, openProject, type Project } from "../project/project-file.ts";
import type { Surroundings } from "./surroundings.ts";

export interface EditFlags {
  multigroup?: boolean;
  image?: string;
}

const kustomization = "config/manager/kustomization.yaml";

/**
 * Runs `operator-sdk edit`, which changes whether a project has several groups, and which image it deploys.
 *
 * @throws CommandError if the flags or the project do not allow it; then nothing is written
 */
export function edit(flags: EditFlags, { cwd }: Surroundings): void {
  if (flags.multigroup === undefined && flags.image === undefined) {
    throw new CommandError(
      "nothing to edit: add --multigroup, --multigroup=false or --image controller=<image>",
    );
  }
  const { project, tree } = openProject(cwd);
  if (flags.multigroup !== undefined) {
    const { multigroup, ...rest } = project;
    if (multigroup && !flags.multigroup && groupsOf(project).size > 1) {
      throw new CommandError("--multigroup=false: the project has several groups");
    }
    tree.edit("PROJECT", () => formatProject(flags.multigroup ? { ...rest, multigroup: true } : rest));
  }
  if (flags.image !== undefined) {
    const image = parseImage(flags.image);
    tree.edit(kustomization, (text) => setImage(text, image));
  }
  tree.commit();
}

/** Returns the groups of the kinds with types in the project. */
function groupsOf({ resources = [] }: Project): Set<string> {
  return new Set(resources.filter((one) => one.api && !isHelmApi(one)).map(({ group }) => group));
}

interface Image {
  name: string;
  newName: string;
  newTag?: string;
  digest?: string;
}

/** Parses "controller=registry:5000/team/operator:v1@sha256:…", the syntax of `kustomize edit set image`. */
function parseImage(text: string): Image {
  const pattern =
    /^(?<name>[a-z0-9][-a-z0-9._/]*)=(?<newName>(?:[A-Za-z0-9][-A-Za-z0-9.]*(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::(?<newTag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;
  const { name, newName, newTag, digest } = pattern.exec(text)?.groups ?? {};
  if (name === undefined || newName === undefined) {
    throw new CommandError(
      `--image ${JSON.stringify(text)} is not a valid image (expected controller=example.com/memcached-operator:v0.0.1): check IMG`,
    );
  }
  if (digest !== undefined) return { name, newName, digest };
  return { name, newName, newTag: newTag ?? "latest" };
}

/** Sets one entry of `images`, and keeps the other entries and all comments. */
function setImage(text: string, image: Image): string {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) {
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    throw new CommandError(
      `${kustomization}:${line}:${col}: it is not valid YAML: fix it, or restore it from git`,
    );
  }
  const images = (document.toJS() as { images?: unknown } | null)?.images ?? [];
  if (!Array.isArray(images)) {
    throw new CommandError(`${kustomization}: images is not a list: fix it, or restore it from git`);
  }
  const at = images.findIndex((one: { name?: unknown } | null) => one?.name === image.name);
  document.setIn(["images", at === -1 ? images.length : at], document.createNode(image));
  return document.toString({ indentSeq: false, lineWidth: 0 });
}
