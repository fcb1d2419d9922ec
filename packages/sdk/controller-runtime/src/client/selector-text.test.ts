import { expect, test } from "vitest";
import { selectorsOf, selectorText } from "./selector-text.ts";

test("formats selectors as kubectl does", () => {
  const expression = (operator: string, values?: string[]) => ({
    key: "env",
    operator,
    ...(values && { values }),
  });
  expect(
    selectorText({
      matchLabels: { app: "web" },
      matchExpressions: [
        expression("In", ["a", "b"]),
        expression("NotIn", ["c"]),
        expression("Exists"),
        expression("DoesNotExist"),
      ],
    }),
  ).toBe("app=web,env in (a,b),env notin (c),env,!env");
  expect(() => selectorText({ matchExpressions: [expression("Gt", ["1"])] })).toThrow(
    '"Gt" is not a label selector operator',
  );
});

test("turns options into query parameters, without empty ones", () => {
  expect(
    selectorsOf({
      labels: { app: "web" },
      labelSelector: "tier!=db",
      fields: { "spec.nodeName": "n1", "metadata.name": "a,b=c\\d" },
    }),
  ).toEqual({
    labelSelector: "app=web,tier!=db",
    fieldSelector: "spec.nodeName=n1,metadata.name=a\\,b\\=c\\\\d",
  });
  expect(selectorsOf({ labels: {}, labelSelector: " ", fields: {} })).toEqual({});
});
