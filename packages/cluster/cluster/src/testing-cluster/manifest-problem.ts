import type { Client } from "@operator-path/client";
import { closestMatch } from "leven";

/** Something wrong in a manifest. */
export interface ManifestProblem {
  /** The keys and indices that lead to it. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Returns the known name that was probably meant. Undefined if none is similar. */
export function nearest(unknown: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((name) => name.toLowerCase() === unknown.toLowerCase());
  return (
    sameLetters ?? closestMatch(unknown, known, { maxDistance: Math.max(1, Math.floor(unknown.length / 4)) })
  );
}

export async function getJson<T>(client: Client, path: string): Promise<T> {
  const { body } = await client.request({ method: "GET", path });
  return JSON.parse(Buffer.from(body).toString()) as T;
}
