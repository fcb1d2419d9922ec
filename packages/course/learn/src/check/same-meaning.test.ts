import { expect, test } from "vitest";
import { meansTheSame } from "./same-meaning.ts";

const crd = (description: string, minimum: number) => `kind: CustomResourceDefinition
spec:
  versions:
  - schema:
      openAPIV3Schema:
        properties:
          description: { type: string, description: a property of this name counts }
          size:
            description: ${description}
            minimum: ${minimum}
`;

test("descriptions of a CRD come from comments, and do not count", () => {
  const page = crd("the number of memcached Pods", 0);
  expect(meansTheSame("config/crd.yaml", page, crd("the number of Pods", 0))).toBe(true);
  expect(meansTheSame("config/crd.yaml", page, page.replace(/ +description: the.*\n/, ""))).toBe(true);
  expect(meansTheSame("config/crd.yaml", page, crd("the number of Pods", 1))).toBe(false);
  expect(meansTheSame("config/crd.yaml", page, page.replace(/ +description: \{.*\n/, ""))).toBe(false);
});

test("descriptions of other objects count", () => {
  const page = "kind: PriorityClass\ndescription: for payment\n";
  expect(meansTheSame("class.yaml", page, page.replace("payment", "all"))).toBe(false);
});
