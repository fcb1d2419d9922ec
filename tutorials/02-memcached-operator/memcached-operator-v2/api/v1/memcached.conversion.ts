import { convertible } from "@operator-path/controller-runtime";
import { memcacheds as v1alpha1 } from "../v1alpha1/zz_generated.resources.ts";
import { fromHub, toHub } from "./v1alpha1.spoke.ts";
import { memcacheds } from "./zz_generated.resources.ts";

/** Converts between the hub v1 and every other version. A round trip must lose nothing. */
export const converter = convertible({
  hub: memcacheds,
  spokes: [{ resource: v1alpha1, toHub, fromHub }],
});
