import { CommandError } from "../command-error.ts";

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The longest name that a scaffold makes of a project's: it is a Service's, and may have 63 characters. */
const longestSuffix = "-controller-manager-metrics-service";
const longestProjectName = 63 - longestSuffix.length;

/** What a scaffold's files say for themselves: a type of this name beside it would be another. */
const taken = new Set(
  "Argument Array Boolean Date Error KubeObject Manager Map Number Object Promise Record Request Result Set String Symbol".split(
    " ",
  ),
);

/** @throws CommandError when it cannot be the name of a namespace and the beginning of a Service's */
export function checkProjectName(name: string): string {
  if (!label.test(name) || /^[0-9]/.test(name)) {
    throw new CommandError(
      `the project's name ${quote(name)} is no RFC 1123 label (lower-case letters, digits, "-", a letter first): say --project-name`,
    );
  }
  if (name.length > longestProjectName) {
    throw new CommandError(
      `the project's name ${quote(name)} has ${name.length} characters, and names are made of it ("${name.slice(0, 3)}…${longestSuffix}"): say a --project-name of ${longestProjectName} at most`,
    );
  }
  return name;
}

/** @throws CommandError when it is no RFC 1123 subdomain */
export function checkDomain(domain: string): string {
  if (domain.length > 253 || !domain.split(".").every((part) => label.test(part))) {
    throw new CommandError(
      `--domain ${quote(domain)} is no RFC 1123 subdomain (lower-case letters, digits, "-", "."): example.com is one`,
    );
  }
  return domain;
}

/** @throws CommandError when it is no RFC 1123 label */
export function checkGroup(group: string): string {
  if (!label.test(group) || group.length > 63) {
    throw new CommandError(
      `--group ${quote(group)} is no RFC 1123 label (lower-case letters, digits, "-", 63 at most); the domain is added by itself: cache, say`,
    );
  }
  return group;
}

/** Whether a group has its domain, as those of other projects' kinds are given: cert-manager.io. */
export function isFullGroup(group: string): boolean {
  return group.length <= 253 && group.includes(".") && group.split(".").every((part) => label.test(part));
}

/** @throws CommandError when it is no version of an API */
export function checkVersion(version: string): string {
  if (!/^v[1-9][0-9]{0,5}((alpha|beta)[1-9][0-9]{0,5})?$/.test(version)) {
    throw new CommandError(
      `--version ${quote(version)} is no version of an API: v1alpha1, v1beta2 and v1 are`,
    );
  }
  return version;
}

/** @throws CommandError when it is no kind, or a name that the scaffold needs */
export function checkKind(kind: string): string {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind) || kind.length > 56) {
    const better = suggestKind(kind);
    throw new CommandError(
      `--kind ${quote(kind)} is no kind (a capital letter, then letters and digits, 56 at most)${better && `: did you mean ${better}?`}`,
    );
  }
  if (taken.has(kind)) {
    throw new CommandError(
      `--kind ${kind} is a type that TypeScript or the scaffold has: say ${kind}Claim, or the like`,
    );
  }
  return kind;
}

/** A Go import path or a package's name: no blanks, nothing that leads out. */
export function checkRepo(repo: string): string {
  if (!/^@?[A-Za-z0-9][-A-Za-z0-9._~]*(\/[A-Za-z0-9_][-A-Za-z0-9._~]*)*$/.test(repo)) {
    throw new CommandError(
      `--repo ${quote(repo)} is no path of a repository: github.com/example/memcached-operator is one`,
    );
  }
  return repo;
}

/** "memcached-operator" of "Memcached_Operator", a folder's name; undefined where nothing is left. */
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

/** "v1alpha1" as a part of an identifier: "V1alpha1". */
export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll("-", "");
}
