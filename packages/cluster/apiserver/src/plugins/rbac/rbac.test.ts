import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import type { AccessAttributes } from "../../server/auth/authorizer.ts";
import { createStore, type Store } from "../../server/storage/store.ts";
import { createRbac } from "./rbac.ts";

const group = "rbac.authorization.k8s.io";
const user = { username: "jane", groups: ["devs"] };

function start() {
  const store = createStore();
  let count = 0;
  const rbac = createRbac({ store, clock: createFakeClock(), uuid: () => String(count++) });
  return { store, ...rbac };
}

function write(store: Store, plural: string, key: string, content: JsonObject): void {
  const collection = `${plural}.${group}`;
  const [namespace, name] = key.includes("/") ? key.split("/") : [undefined, key];
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const object = { apiVersion: `${group}/v1`, kind: "", metadata, ...content } as ApiObject;
  const seen = store.get(collection, key);
  if (seen === undefined) store.create(collection, key, object);
  else store.replace(collection, seen, object);
}

function remove(store: Store, plural: string, key: string): void {
  const seen = store.get(`${plural}.${group}`, key);
  if (seen !== undefined) store.delete(`${plural}.${group}`, seen);
}

const rules = (...verbs: string[]) => ({ rules: [{ verbs, apiGroups: [""], resources: ["pods"] }] });
const binding = (role: string, ...subjects: JsonObject[]) => ({
  roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
  subjects,
});
const get = { user, verb: "get", group: "", resource: "pods", namespace: "default" };

describe("a decision", () => {
  test("follows roles and bindings when they are written", () => {
    const { store, authorize } = start();
    const allowed = (attributes: AccessAttributes = get) => authorize(attributes).allowed;
    write(store, "clusterroles", "reader", rules("get"));
    expect(allowed()).toBe(false);
    write(store, "rolebindings", "default/b", binding("reader", { kind: "User", name: "jane" }));
    expect(allowed()).toBe(true);
    expect(allowed({ ...get, namespace: "other" })).toBe(false);
    expect(allowed({ ...get, namespace: "" })).toBe(false);
    write(store, "clusterroles", "reader", rules("list"));
    expect(allowed()).toBe(false);
    write(store, "clusterroles", "reader", rules("*"));
    expect(allowed()).toBe(true);
    write(store, "rolebindings", "default/b", binding("reader", { kind: "User", name: "joe" }));
    expect(allowed()).toBe(false);
    write(store, "rolebindings", "default/b", binding("reader", { kind: "Group", name: "devs" }));
    expect(allowed()).toBe(true);
    remove(store, "rolebindings", "default/b");
    expect(allowed()).toBe(false);
    write(store, "clusterrolebindings", "b", binding("reader", { kind: "User", name: "jane" }));
    expect(allowed({ ...get, namespace: "" })).toBe(true);
    remove(store, "clusterroles", "reader");
    expect(authorize(get)).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found',
    });
  });

  test("applies to the built-in groups", () => {
    const { authorize } = start();
    const asked = { verb: "get", path: "/apis/apps" };
    expect(authorize({ user: { username: "x", groups: ["system:authenticated"] }, ...asked }).allowed).toBe(
      true,
    );
    expect(authorize({ user: { username: "x", groups: ["system:unauthenticated"] }, ...asked }).allowed).toBe(
      false,
    );
    expect(authorize({ user: { username: "x", groups: ["system:masters"] }, verb: "x", path: "/y" })).toEqual(
      {
        allowed: true,
      },
    );
  });

  test("costs the same, however many bindings other users have", () => {
    const { store, authorize } = start();
    write(store, "clusterroles", "reader", rules("get"));
    let read = 0;
    const roles = store.get.bind(store);
    store.get = (...args) => {
      read++;
      return roles(...args);
    };
    for (let index = 0; index < 5_000; index++) {
      write(
        store,
        "rolebindings",
        `default/b${index}`,
        binding("reader", { kind: "User", name: `u${index}` }),
      );
    }
    read = 0;
    expect(authorize({ ...get, user: { username: "u4999", groups: [] } }).allowed).toBe(true);
    expect(authorize({ ...get, user: { username: "stranger", groups: [] } }).allowed).toBe(false);
    expect(read).toBeLessThan(200);
  });
});

describe("after any writes in any order", () => {
  const name = fc.constantFrom("a", "b", "c");
  const namespace = fc.constantFrom("x", "y");
  const subject = fc.oneof(
    fc.record({ kind: fc.constantFrom("User", "Group"), name }),
    fc.record({ kind: fc.constant("ServiceAccount"), name, namespace: fc.constantFrom("x", "y", "") }),
  );
  const role = fc.record({
    verbs: fc.subarray(["get", "list", "*"], { minLength: 1 }),
    apiGroups: fc.subarray(["", "apps", "*"], { minLength: 1 }),
    resources: fc.subarray(["pods", "pods/log", "*/log", "*"], { minLength: 1 }),
    resourceNames: fc.subarray(["a", "b"]),
  });
  const write$ = fc.oneof(
    fc.record({ what: fc.constant("clusterroles"), key: name, rules: fc.array(role, { maxLength: 2 }) }),
    fc.record({
      what: fc.constantFrom("rolebindings", "clusterrolebindings"),
      namespace,
      key: name,
      role: name,
      subjects: fc.array(subject, { maxLength: 3 }),
    }),
    fc.record({ what: fc.constantFrom("rolebindings", "clusterrolebindings"), namespace, key: name }),
  );
  const question = fc.record({
    user: fc.record({
      username: fc.oneof(name, fc.constantFrom("system:serviceaccount:x:a", "system:serviceaccount:y:b")),
      groups: fc.subarray(["a", "b", "c"]),
    }),
    verb: fc.constantFrom("get", "list", "delete"),
    group: fc.constantFrom("", "apps"),
    resource: fc.constantFrom("pods", "nodes"),
    subresource: fc.constantFrom("", "log"),
    namespace: fc.constantFrom("", "x", "y"),
    name: fc.constantFrom("", "a", "c"),
  });

  test("the index decides like a scan of all bindings", () => {
    fc.assert(
      fc.property(
        fc.array(write$, { maxLength: 25 }),
        fc.array(question, { minLength: 5 }),
        (writes, questions) => {
          const { store, authorize } = start();
          for (const one of writes) {
            const key =
              "namespace" in one && one.what === "rolebindings" ? `${one.namespace}/${one.key}` : one.key;
            if ("rules" in one) write(store, one.what, key, { rules: one.rules });
            else if ("role" in one) write(store, one.what, key, binding(one.role, ...one.subjects));
            else remove(store, one.what, key);
          }
          for (const asked of questions) expect(authorize(asked).allowed).toBe(decideByScan(store, asked));
        },
      ),
    );
  });
});

/** Decides the long way: every binding, every subject, every rule. */
function decideByScan(store: Store, asked: Required<Omit<AccessAttributes, "path" | "version">>): boolean {
  const own = ({ object }: { object: ApiObject }) => !String(object.metadata.name).startsWith("system:");
  const bindings = [
    ...store.range(`clusterrolebindings.${group}`),
    ...(asked.namespace === ""
      ? []
      : store.range(`rolebindings.${group}`, { prefix: `${asked.namespace}/` })),
  ].filter(own);
  return bindings.some(({ object }) => {
    const { subjects = [], roleRef } = object as ApiObject & {
      subjects: JsonObject[];
      roleRef: { name: string };
    };
    const applies = subjects.some(({ kind, name, namespace }) => {
      if (kind === "User") return asked.user.username === name;
      if (kind === "Group") return asked.user.groups.includes(String(name));
      const home = namespace || object.metadata.namespace;
      return home !== undefined && asked.user.username === `system:serviceaccount:${home}:${name}`;
    });
    const role = store.get(`clusterroles.${group}`, roleRef.name)?.object;
    const rules = (role?.rules ?? []) as unknown as Record<string, string[]>[];
    return applies && rules.some((rule) => matches(rule, asked));
  });
}

function matches(
  { verbs = [], apiGroups = [], resources = [], resourceNames = [] }: Record<string, string[]>,
  { verb, group: asked, resource, subresource, name }: Required<Omit<AccessAttributes, "path" | "version">>,
): boolean {
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const any = [full, "*", ...(subresource === "" ? [] : [`*/${subresource}`])];
  return (
    ["*", verb].some((one) => verbs.includes(one)) &&
    ["*", asked].some((one) => apiGroups.includes(one)) &&
    any.some((one) => resources.includes(one)) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}
