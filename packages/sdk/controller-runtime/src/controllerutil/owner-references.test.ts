import type { ConfigMap, KubeObject } from "@operator-path/client";
import { expect, test } from "vitest";
import {
  AlreadyOwnedError,
  getControllerOf,
  hasControllerReference,
  hasOwnerReference,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./owner-references.ts";

const memcached = (name: string, namespace?: string): KubeObject => ({
  apiVersion: "cache.example.com/v1alpha1",
  kind: "Memcached",
  metadata: { name, uid: `uid-${name}`, ...(namespace ? { namespace } : {}) },
});
const configMap = (namespace?: string): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", ...(namespace ? { namespace } : {}) },
});
const reference = {
  apiVersion: "cache.example.com/v1alpha1",
  kind: "Memcached",
  name: "a",
  uid: "uid-a",
};

test("sets a controller reference on a new object, or returns the same object if it is there", () => {
  const given = Object.freeze(configMap("ns"));
  const owned = setControllerReference(memcached("a", "ns"), given);
  expect(owned.metadata?.ownerReferences).toEqual([
    { ...reference, controller: true, blockOwnerDeletion: true },
  ]);
  expect(given.metadata?.ownerReferences).toBeUndefined();
  expect(setControllerReference(memcached("a", "ns"), owned)).toBe(owned);
  expect(hasControllerReference(owned)).toBe(true);
  expect(getControllerOf(owned)?.name).toBe("a");
  const unblocked = setControllerReference(memcached("a", "ns"), owned, { blockOwnerDeletion: false });
  expect(unblocked.metadata?.ownerReferences).toEqual([
    { ...reference, controller: true, blockOwnerDeletion: false },
  ]);
});

test("turns an owner reference into a controller's, whatever the version of the owner", () => {
  const owned = setOwnerReference(memcached("a", "ns"), configMap("ns"));
  expect(owned.metadata?.ownerReferences).toEqual([reference]);
  expect(hasControllerReference(owned)).toBe(false);
  const newer = { ...memcached("a", "ns"), apiVersion: "cache.example.com/v1" };
  expect(hasOwnerReference(owned, newer)).toBe(true);
  expect(setControllerReference(newer, owned).metadata?.ownerReferences).toEqual([
    { ...reference, apiVersion: "cache.example.com/v1", controller: true, blockOwnerDeletion: true },
  ]);
});

test("allows one controller and any number of owners", () => {
  const owned = setControllerReference(memcached("a", "ns"), configMap("ns"));
  const taken = () => setControllerReference(memcached("b", "ns"), owned);
  expect(taken).toThrow(AlreadyOwnedError);
  expect(taken).toThrow("Object ns/settings is already owned by another Memcached controller a");
  const both = setOwnerReference(memcached("b", "ns"), owned);
  expect(both.metadata?.ownerReferences?.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(removeOwnerReference(memcached("a", "ns"), both).metadata?.ownerReferences).toEqual([
    { ...reference, name: "b", uid: "uid-b" },
  ]);
  expect(() => removeControllerReference(memcached("b", "ns"), both)).toThrow(
    'Memcached "b" is not the controller of ConfigMap "settings"',
  );
  expect(hasControllerReference(removeControllerReference(memcached("a", "ns"), both))).toBe(false);
  expect(() => removeOwnerReference(memcached("c", "ns"), both)).toThrow(
    'ConfigMap "settings" does not have an owner reference for Memcached "c"',
  );
});

test.each([
  ["a", undefined, "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace a"],
  ["a", "b", "cross-namespace owner references are disallowed, owner's namespace a, obj's namespace b"],
])("rejects an owner in %s for an object in %s", (ownerNamespace, namespace, message) => {
  for (const set of [setControllerReference, setOwnerReference]) {
    expect(() => set(memcached("x", ownerNamespace), configMap(namespace))).toThrow(message);
  }
});

test("accepts cluster-scoped owners everywhere, and rejects owners that were never stored", () => {
  expect(hasControllerReference(setControllerReference(memcached("a"), configMap("ns")))).toBe(true);
  expect(() => setControllerReference({ kind: "Memcached", metadata: { name: "a" } }, configMap())).toThrow(
    'the owner Memcached "a" has no apiVersion, metadata.uid: pass the owner as the server stored it',
  );
});
