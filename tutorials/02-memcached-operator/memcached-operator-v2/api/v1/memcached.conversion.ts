import { convertible } from "@operator-path/controller-runtime";
import { memcacheds as v1alpha1 } from "../v1alpha1/zz_generated.resources.ts";
import { fromHub, toHub } from "./v1alpha1.spoke.ts";
import { memcacheds } from "./zz_generated.resources.ts";

/** v1 is the hub: every other version becomes it, and is made of it. Whatever is stored in one has to come back from the other. */
export const converter = convertible({
  hub: memcacheds,
  spokes: [{ resource: v1alpha1, toHub, fromHub }],
});
