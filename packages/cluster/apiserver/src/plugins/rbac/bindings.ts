import { parseRoleRef, type RoleRef } from "../../kinds/rbac/policy-rule.ts";
import { type ApiObject, isJsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { UserInfo } from "../../server/auth/user.ts";
import type { Store } from "../../server/storage/store.ts";

/** A parsed RoleBinding or ClusterRoleBinding. */
export interface Binding {
  readonly name: string;
  /** "" for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** rbac/v1 Subject. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Of a ServiceAccount. In a RoleBinding, "" means the namespace of the binding. */
  readonly namespace: string;
}

/** An index of bindings by subject, so that a request reads only those of its user. */
export interface BindingIndex {
  /**
   * Calls `visitor` for each binding of the user in the namespace ("": ClusterRoleBindings), until it returns
   * false.
   */
  visit(user: UserInfo, namespace: string, visitor: (binding: Binding) => boolean): boolean;
}

interface Subjects {
  users: Map<string, Binding[]>;
  groups: Map<string, Binding[]>;
}

const collections = ["clusterrolebindings", "rolebindings"].map(
  (plural) => `${plural}.rbac.authorization.k8s.io`,
);

/** Returns an index that follows the store's bindings. Create it before the first of them is stored. */
export function createBindingIndex(store: Store): BindingIndex {
  const byNamespace = new Map<string, Subjects>();
  const known = new Map<string, Binding>();

  function put(binding: Binding): void {
    const { namespace } = binding;
    const subjects = byNamespace.get(namespace) ?? { users: new Map(), groups: new Map() };
    byNamespace.set(namespace, subjects);
    for (const [map, name] of places(subjects, binding)) {
      const list = map.get(name) ?? [];
      if (!list.includes(binding)) map.set(name, [...list, binding].sort(byName));
    }
  }

  function remove(binding: Binding): void {
    const subjects = byNamespace.get(binding.namespace);
    if (subjects === undefined) return;
    for (const [map, name] of places(subjects, binding)) {
      const left = (map.get(name) ?? []).filter((other) => other !== binding);
      if (left.length === 0) map.delete(name);
      else map.set(name, left);
    }
    if (subjects.users.size === 0 && subjects.groups.size === 0) byNamespace.delete(binding.namespace);
  }

  for (const collection of collections) {
    store.watch(collection, store.revision, ({ type, current }) => {
      const key = `${collection} ${current.key}`;
      const before = known.get(key);
      if (before !== undefined) remove(before);
      known.delete(key);
      if (type === "DELETED") return;
      const binding = read(current.object);
      known.set(key, binding);
      put(binding);
    });
  }

  return {
    visit(user, namespace, visitor) {
      const subjects = byNamespace.get(namespace);
      if (subjects === undefined) return true;
      for (const binding of subjects.users.get(user.username) ?? []) if (!visitor(binding)) return false;
      for (const group of user.groups) {
        for (const binding of subjects.groups.get(group) ?? []) if (!visitor(binding)) return false;
      }
      return true;
    },
  };
}

/** Returns the first subject of a binding that matches the user. */
export function subjectOf(binding: Binding, user: UserInfo): Subject | undefined {
  return binding.subjects.find((subject) => {
    if (subject.kind === "Group") return user.groups.includes(subject.name);
    return usernameOf(subject, binding) === user.username;
  });
}

/** Returns the user of a subject that is not a group, or undefined for an unknown kind. */
function usernameOf({ kind, name, namespace }: Subject, binding: Binding): string | undefined {
  if (kind === "User") return name;
  const home = namespace || binding.namespace;
  if (kind !== "ServiceAccount" || home === "") return undefined;
  return `system:serviceaccount:${home}:${name}`;
}

function places({ users, groups }: Subjects, binding: Binding): [Map<string, Binding[]>, string][] {
  return binding.subjects.flatMap((subject): [Map<string, Binding[]>, string][] => {
    if (subject.kind === "Group") return [[groups, subject.name]];
    const username = usernameOf(subject, binding);
    return username === undefined ? [] : [[users, username]];
  });
}

function read({ metadata, roleRef, subjects }: ApiObject): Binding {
  return {
    name: metadata.name ?? "",
    namespace: metadata.namespace ?? "",
    roleRef: parseRoleRef(roleRef),
    subjects: (Array.isArray(subjects) ? subjects : [])
      .filter(isJsonObject)
      .map(({ kind, name, namespace }) => ({
        kind: text(kind),
        name: text(name),
        namespace: text(namespace),
      })),
  };
}

function byName(a: Binding, b: Binding): number {
  return a.name < b.name ? -1 : 1;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
