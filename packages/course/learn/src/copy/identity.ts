import { UserError } from "@operator-path/cluster/user-error";
import {
  CommandError,
  checkDomain,
  checkGroup,
  checkKind,
  checkProjectName,
  type Project,
  parseProject,
  projectNameOf,
} from "@operator-path/operator-sdk";

/** The names of a project, which its files use. */
export interface Identity {
  /** The name of the project, its package, image and namespace. */
  readonly name: string;
  readonly domain: string;
  /** The group before the domain. "" if the group is the domain. */
  readonly group: string;
  readonly version: string;
  /** Further versions of the kind. */
  readonly otherVersions?: readonly string[];
  readonly kind: string;
  /** The repository, from PROJECT. */
  readonly repo?: string;
  /** The short name for kubectl. */
  readonly shortName?: string;
  /** Why the kind cannot be renamed. Absent if it can. */
  readonly kindStays?: string;
  /** Other names of the project, and other prefixes of its samples. */
  readonly alsoNamed?: readonly string[];
  readonly alsoSamples?: readonly string[];
}

/** The flags of the command line. */
export interface IdentityFlags {
  readonly name?: string;
  readonly domain?: string;
  readonly group?: string;
  readonly kind?: string;
}

/** The names of projects without PROJECT, by tutorial. */
const undescribed: Readonly<Record<string, Identity>> = {
  "01-podbuggertool": {
    name: "podbuggertool",
    domain: "ualter.com",
    group: "",
    version: "v1beta1",
    kind: "Podbuggertool",
    shortName: "pbt",
    alsoNamed: ["podbuggertool-on-controller-runtime", "PodBuggerTool"],
    alsoSamples: ["podbtool"],
  },
};

/** Other names of the projects with PROJECT, by tutorial. */
const alsoNamed: Readonly<Record<string, readonly string[]>> = {
  "02-memcached-operator": ["memcached-operator-v2"],
};

/** @param projectFile text of PROJECT. Undefined: the project has none */
export function identityOf(tutorial: string, projectFile: string | undefined): Identity {
  if (projectFile !== undefined) return described(parseProject(projectFile), tutorial);
  const found = undescribed[tutorial];
  if (!found)
    throw new UserError(`${tutorial}: the names in its project are unknown, so it cannot be renamed`);
  return found;
}

function described(project: Project, tutorial: string): Identity {
  const { projectName, domain, repo, resources = [] } = project;
  if (new Set(resources.map(({ group }) => group)).size > 1)
    throw new UserError(
      `${tutorial}: a project of several groups cannot be renamed: copy an earlier step of it`,
    );
  const [{ group, version, kind } = { group: "cache", version: "v1alpha1", kind: "Memcached" }, ...others] =
    resources;
  const kindStays = others.some((other) => other.kind !== kind)
    ? "the project has several kinds"
    : project.layout.some((one) => one.startsWith("hybrid.helm."))
      ? "the chart is written for this kind"
      : undefined;
  const otherVersions = [...new Set(others.map((other) => other.version))].filter((one) => one !== version);
  return {
    ...{ name: projectName, domain, group, version, otherVersions, kind, repo },
    ...(kindStays && { kindStays }),
    ...(alsoNamed[tutorial] && { alsoNamed: alsoNamed[tutorial] }),
  };
}

/**
 * Returns the names of the copy: from the flags, otherwise from the folder and the stage.
 *
 * @throws UserError for an invalid name, with its flag
 */
export function chooseIdentity(old: Identity, flags: IdentityFlags, folderName: string): Identity {
  try {
    const name = flags.name ?? projectNameOf(folderName);
    if (flags.name === undefined && name === "") {
      throw new CommandError(
        `the folder's name ${JSON.stringify(folderName)} cannot become a project name: set --project-name`,
      );
    }
    const group = flags.group === undefined ? old.group : checkGroup(flags.group);
    const domain = flags.domain === undefined ? old.domain : checkDomain(flags.domain);
    const kind = flags.kind === undefined ? old.kind : checkKind(flags.kind);
    if (kind !== old.kind && old.kindStays) {
      throw new UserError(
        `--kind ${kind}: ${old.kindStays}: leave --kind out; operator-sdk create api adds one to the copy`,
      );
    }
    return { ...old, name: checkProjectName(name), domain, group, kind };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // The rules and messages are operator-sdk's. Here the flag is called --name.
    throw new UserError(error.message.replaceAll("--project-name", "--name"));
  }
}
