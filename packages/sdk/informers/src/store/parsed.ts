import type { KubeObject } from "@operator-path/client";
import { parseObject } from "../wire/parse-object.ts";
import { textOf } from "../wire/text.ts";
import type { PolicyOptions, StorePolicy } from "./entry.ts";
import { createFinish } from "./finish.ts";
import { PlainEntry } from "./plain-entry.ts";

/** Parses objects on arrival, so that reads cost nothing. */
export function createParsedPolicy<T extends KubeObject>(options: PolicyOptions<T>): StorePolicy<T> {
  const finish = createFinish(options);
  return {
    entryOf(bytes, span) {
      if (options.managedFields) span.cutTo = span.cutFrom;
      return new PlainEntry(span, finish(parseObject(textOf(bytes, span)) as T));
    },
  };
}
