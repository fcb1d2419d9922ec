import { CommandError } from "../command-error.ts";

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The suffix of the longest name that contains the project's name: that of a Service, which may have 63
 * characters.
 */
const longestSuffix = "-controller-manager-metrics-service";
const longestProjectName = 63 - longestSuffix.length;

/** Names of types that the scaffold's files use. A kind with one of these names would conflict. */
const reservedKinds = new Set(
  "Argument Array Boolean Date Error KubeObject Manager Map Number Object Promise Record Request Result Set String Symbol".split(
    " ",
  ),
);

/**
 * Checks and returns the name of a project.
 *
 * @throws CommandError if it cannot be the name of a namespace and the beginning of a Service's name
 */
export function checkProjectName(name: string): string {
  if (!label.test(name) || /^[0-9]/.test(name)) {
    throw new CommandError(
      `the project's name ${quote(name)} is not a valid RFC 1123 label (lower-case letters, digits and "-", beginning with a letter): choose another --project-name`,
    );
  }
  if (name.length > longestProjectName) {
    throw new CommandError(
      `the project's name ${quote(name)} has ${name.length} characters, but must fit into "${name.slice(0, 3)}…${longestSuffix}": choose a --project-name of at most ${longestProjectName} characters`,
    );
  }
  return name;
}

/**
 * Checks and returns the domain of a project's groups.
 *
 * @throws CommandError if it is not an RFC 1123 subdomain
 */
export function checkDomain(domain: string): string {
  if (domain.length > 253 || !domain.split(".").every((part) => label.test(part))) {
    throw new CommandError(
      `--domain ${quote(domain)} is not a valid RFC 1123 subdomain (lower-case letters, digits, "-" and "."): use one such as example.com`,
    );
  }
  return domain;
}

/**
 * Checks and returns a group without its domain.
 *
 * @throws CommandError if it is not an RFC 1123 label
 */
export function checkGroup(group: string): string {
  if (!label.test(group) || group.length > 63) {
    throw new CommandError(
      `--group ${quote(group)} is not a valid RFC 1123 label (lower-case letters, digits and "-", at most 63): use one such as cache, without the domain, which operator-sdk adds`,
    );
  }
  return group;
}

/** Returns whether a group has its domain, which flags require for other projects' kinds: cert-manager.io. */
export function isFullGroup(group: string): boolean {
  return group.length <= 253 && group.includes(".") && group.split(".").every((part) => label.test(part));
}

/**
 * Checks and returns the version of an API.
 *
 * @throws CommandError if it does not have the form v1, v1beta2 or v1alpha1
 */
export function checkVersion(version: string): string {
  if (!/^v[1-9][0-9]{0,5}((alpha|beta)[1-9][0-9]{0,5})?$/.test(version)) {
    throw new CommandError(
      `--version ${quote(version)} is not a valid API version: use one such as v1alpha1, v1beta2 or v1`,
    );
  }
  return version;
}

/**
 * Checks and returns a kind.
 *
 * @throws CommandError if it is not a valid kind, or if the scaffold uses a type with its name
 */
export function checkKind(kind: string): string {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind) || kind.length > 56) {
    const better = suggestKind(kind);
    throw new CommandError(
      `--kind ${quote(kind)} is not a valid kind (a capital letter, then letters and digits, at most 56)${better && `: did you mean ${better}?`}`,
    );
  }
  if (reservedKinds.has(kind)) {
    throw new CommandError(
      `--kind ${kind} is the name of a type in TypeScript or the scaffold: choose another name, such as ${kind}Claim`,
    );
  }
  return kind;
}

/**
 * Checks and returns the repository of a project: a Go import path, or the name of a package.
 *
 * @throws CommandError if it has blanks or leads out of its folder
 */
export function checkRepo(repo: string): string {
  if (!/^@?[A-Za-z0-9][-A-Za-z0-9._~]*(\/[A-Za-z0-9_][-A-Za-z0-9._~]*)*$/.test(repo)) {
    throw new CommandError(
      `--repo ${quote(repo)} is not a valid repository path: use one such as github.com/example/memcached-operator`,
    );
  }
  return repo;
}

/** Returns a project's name for a folder: "memcached-operator" for "Memcached_Operator". May be "". */
export function projectNameOf(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-+$/g, "");
}

function suggestKind(text: string): string {
  const words = text.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text);
}

/** Returns a word in the form for an identifier: "V1alpha1" for "v1alpha1". */
export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll("-", "");
}
