import { expectTypeOf, test } from "vitest";
import type { JSONSchemaProps, List, Pod } from "./index.ts";

test("types are those of the wire: timestamps are strings, names are the API's", () => {
  expectTypeOf<NonNullable<Pod["metadata"]>["creationTimestamp"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<NonNullable<JSONSchemaProps["x-kubernetes-int-or-string"]>>().toEqualTypeOf<boolean>();
  expectTypeOf<List<Pod>["metadata"]["continue"]>().toEqualTypeOf<string | undefined>();
});
