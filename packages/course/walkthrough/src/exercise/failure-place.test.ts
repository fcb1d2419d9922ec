import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { comparedIn, firstChange, placesInStack } from "./failure-place.ts";

it("finds the innermost call of a stack in the project's own code", () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "place-")));
  try {
    mkdirSync(join(project, "src"));
    writeFileSync(join(project, "src/size.test.ts"), "\n\n\n\n  expect(size?.of).toEqual(1);\n");
    const stack = (...frames: string[]) => `Error: no\n${frames.map((one) => `    at ${one}`).join("\n")}`;
    const library = `list (file://${project}/node_modules/a/index.js:3:1)`;
    const own = `sizeOf (file://${project}/src/size.ts:8:14)`;
    const test = `${project}/src/size.test.ts:5:20`;
    expect(placesInStack(stack(library, own, test), project, "src/size.test.ts").place).toEqual({
      file: "src/size.ts",
      line: 8,
    });
    expect(
      placesInStack(stack(test, "Test.run (node:internal/test:1:2)"), project, "src/size.test.ts").place,
    ).toBe(undefined);
    expect(placesInStack(stack(library, own, test), project, "src/size.test.ts").line).toEqual({
      ...{ file: "src/size.test.ts", line: 5, text: "expect(size?.of).toEqual(1);" },
    });
    expect(placesInStack(stack(library, own), project, "src/size.test.ts").line).toBe(undefined);
  } finally {
    rmSync(project, { recursive: true });
  }
});

it("finds the first changed key in the diffs of node:assert and vitest", () => {
  const node =
    "+ actual - expected\n\n  {\n    kind: 'X',\n    spec: {\n+     replicas: 2\n-     replicas: 1\n    }\n  }";
  expect(firstChange(`AssertionError: Expected values to be strictly deep-equal:\n${node}`)).toEqual({
    ...{ key: "spec.replicas", values: { expected: "1", received: "2" } },
  });
  const vitest =
    '- Expected\n+ Received\n\n@@ -1,5 +1,5 @@\n  {\n    "a": {},\n    "spec": {\n-     "port": 80,\n+     "port": 81,\n    },\n  }';
  expect(firstChange(vitest)).toEqual({ key: "spec.port", values: { expected: "80", received: "81" } });
  expect(firstChange("+ actual - expected\n\n  {\n+   'a/b': undefined,\n    'a/c': 1\n  }")).toEqual({
    ...{ key: "a/b", isExtra: true },
  });
  expect(firstChange("+ actual - expected\n\n  {\n-   spec: {\n-     a: 1\n-   }\n  }")).toEqual({
    key: "spec",
  });
  // Nothing was expected, so none of the keys is what is wrong.
  expect(
    firstChange('- Expected\n+ Received\n\n- []\n+ [\n+   {\n+     "apiVersion": "v1",\n+   },\n+ ]'),
  ).toBe(undefined);
  expect(firstChange("Expected values to be strictly equal:\n+ actual - expected\n\n+ 'a'\n- 'b'")).toBe(
    undefined,
  );
  // A text that contains a colon is not a key.
  expect(firstChange("+ actual - expected\n\n  [\n+   'Tool: Instaled'\n-   'Tool: Installed'\n  ]")).toBe(
    undefined,
  );
});

it.each([
  ["Node", "AssertionError: Expected values to be strictly equal:\n\n21 !== 42", "42", "21"],
  ["vitest", "AssertionError: expected 21 to be 42\n- Expected\n+ Received\n\n- 42\n+ 21", "42", "21"],
  [
    "vitest, for strings",
    "AssertionError: expected 'a' to be 'b'\nExpected: \"b\"\nReceived: \"a\"",
    '"b"',
    '"a"',
  ],
])("finds the values that a message of %s compares", (_, message, expected, received) => {
  expect(comparedIn(message)).toEqual({ expected, received });
});

it.each([
  ["an error of the code", "Error: 1 !== 2"],
  ["values of several lines", "AssertionError: it differs\n- Expected\n+ Received\n\n- 1\n- 2\n+ 3"],
])("finds no values in %s", (_, message) => {
  expect(comparedIn(message)).toBeUndefined();
});
