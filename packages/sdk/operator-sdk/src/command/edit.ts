import { parseDocument } from "yaml";
import { CommandError } from "../command-error.ts";
import { openProject } from "../project/open-project.ts";
import { formatProject, isHelmApi, type Project } from "../project/project-file.ts";
import type { Surroundings } from "./surroundings.ts";

export interface EditFlags {
  multigroup?: boolean;
  image?: string;
}

const kustomization = "config/manager/kustomization.yaml";

/** `operator-sdk edit`: what a project is, or which image it deploys. */
export function edit(flags: EditFlags, { cwd }: Surroundings): void {
  if (flags.multigroup === undefined && flags.image === undefined) {
    throw new CommandError(
      "nothing to edit: say --multigroup, --multigroup=false or --image controller=<image>",
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

/** Groups of its own kinds. */
function groupsOf({ resources = [] }: Project): Set<string> {
  return new Set(resources.filter((one) => one.api && !isHelmApi(one)).map(({ group }) => group));
}

interface Image {
  name: string;
  newName: string;
  newTag?: string;
  digest?: string;
}

/** "controller=registry:5000/team/operator:v1@sha256:…", as `kustomize edit set image` takes it. */
function parseImage(text: string): Image {
  const pattern =
    /^(?<name>[a-z0-9][-a-z0-9._/]*)=(?<newName>(?:[A-Za-z0-9][-A-Za-z0-9.]*(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::(?<newTag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;
  const { name, newName, newTag, digest } = pattern.exec(text)?.groups ?? {};
  if (name === undefined || newName === undefined) {
    throw new CommandError(
      `--image ${JSON.stringify(text)} is no image: controller=example.com/memcached-operator:v0.0.1 is one (check IMG)`,
    );
  }
  if (digest !== undefined) return { name, newName, digest };
  return { name, newName, newTag: newTag ?? "latest" };
}

/** Only that entry of `images` is changed; comments stay. */
function setImage(text: string, image: Image): string {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) {
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    throw new CommandError(`${kustomization}:${line}:${col}: it is no YAML: mend it, or take it from git`);
  }
  const images = (document.toJS() as { images?: unknown } | null)?.images ?? [];
  if (!Array.isArray(images)) {
    throw new CommandError(`${kustomization}: images is no list: mend it, or take it from git`);
  }
  const at = images.findIndex((one: { name?: unknown } | null) => one?.name === image.name);
  document.setIn(["images", at === -1 ? images.length : at], document.createNode(image));
  return document.toString({ indentSeq: false, lineWidth: 0 });
}
