import type { TransportRequest } from "@operator-path/client";
import type { SimulatedObject } from "./objects.ts";
import type { Revision } from "./revisions.ts";
import { badRequest } from "./statuses.ts";

export type Query = NonNullable<TransportRequest["query"]>;

export type Matches = (object: SimulatedObject) => boolean;

/**
 * The part of a collection that a request selects: a namespace, and labels of the form `a=b`, joined by
 * commas.
 */
export function selectionOf(namespace: string, query: Query): Matches {
  const wanted = String(query.labelSelector ?? "")
    .split(",")
    .filter((part) => part !== "")
    .map((part) => {
      const [name, value, ...rest] = part.split("=");
      if (name === undefined || value === undefined || rest.length > 0) {
        throw badRequest(`unable to parse requirement: ${JSON.stringify(part)}`);
      }
      return [name, value] as const;
    });
  return ({ metadata }) =>
    (namespace === "" || metadata?.namespace === namespace) &&
    wanted.every(([name, value]) => metadata?.labels?.[name] === value);
}

export interface SelectedEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: SimulatedObject;
}

/**
 * Returns a write as a watch of a selection sees it. An object that leaves the selection is deleted, in its
 * last selected state and with the version of the write. One that enters is added.
 */
export function eventOf({ before, after, version }: Revision, matches: Matches): SelectedEvent | undefined {
  const was = before !== undefined && matches(before);
  const is = after !== undefined && matches(after);
  if (is) return { type: was ? "MODIFIED" : "ADDED", object: after };
  if (!was) return undefined;
  const metadata = { ...before.metadata, resourceVersion: String(version) };
  return { type: "DELETED", object: { ...before, metadata } };
}
