import type { KubeObject } from "@operator-path/client";
import fc from "fast-check";
import { keyOf } from "../keys.ts";
import {
  arbitraryString,
  arbitraryValue,
  type Members,
  membersOf,
  shuffled,
  someOf,
  type Written,
  write,
} from "./arbitrary-json.ts";

const string: fc.Arbitrary<Written> = arbitraryString.map((text) => ({ text: JSON.stringify(text) }));
const maybe = (value: fc.Arbitrary<Written>) =>
  fc.oneof({ weight: 9, arbitrary: value }, fc.constant({ text: "null" }));

const known = {
  name: maybe(string),
  namespace: maybe(string),
  uid: string,
  resourceVersion: string,
  managedFields: maybe(fc.array(arbitraryValue, { maxLength: 3 }).map((items) => ({ items }))),
};

const both = (one: fc.Arbitrary<Members>, other: fc.Arbitrary<Members>) =>
  shuffled(fc.tuple(one, other).map((all) => all.flat()));

const metadata = both(someOf(known), membersOf(arbitraryValue, ...Object.keys(known))).map((members) => ({
  members,
}));

/** An object of any kind, or something similar: its metadata is at any position, or missing. */
export const arbitraryMembers: fc.Arbitrary<Written> = both(
  someOf({ metadata: maybe(metadata) }),
  membersOf(arbitraryValue, "metadata"),
).map((members) => ({ members }));

/** 0 writes as a server does. Other seeds add white space and escapes. */
export const arbitraryFormatting = fc.oneof(fc.constant(0), fc.integer());

/** The text of an object. */
export const arbitraryObject: fc.Arbitrary<string> = fc
  .tuple(arbitraryMembers, arbitraryFormatting)
  .map(([object, formatting]) => write(object, formatting));

/** Returns what a scan should find in an object. */
export function metadataOf(object: KubeObject): { key: string; uid: string; resourceVersion: string } {
  const { uid, resourceVersion, name, namespace } = object.metadata ?? {};
  return {
    key: keyOf({ metadata: { ...(name && { name }), ...(namespace && { namespace }) } }),
    uid: uid ?? "",
    resourceVersion: resourceVersion ?? "",
  };
}

export function withoutManagedFields(object: KubeObject): KubeObject {
  delete object.metadata?.managedFields;
  return object;
}
