import { expect, test } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";

const go = "package a\n\n// Waits.\nfunc wait() error {\n\treturn nil\n}\n";

const tutorial = (quotation: string) =>
  temporaryTutorial({
    "tests/go/wait.go": go,
    "p/wait.ts": "export {};\n",
    "1-page.md": `---
title: T
project: p
---

## Begin

<details><summary>In Go</summary>

[wait.go](tests/go/wait.go)

~~~go
${quotation}
~~~

</details>

\`wait.ts\`

~~~ts file
export {};
~~~
`,
  });

test("a page may quote a file in Go from the tutorial's tests, in a fold", async () => {
  using folder = tutorial("func wait() error {\n\treturn nil");
  const report = await folder.run("1-page.md");
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
});

test("a quotation in a fold that the file does not have is an error", async () => {
  using folder = tutorial("func wait() error {\n\treturn err");
  const { difference } = await folder.run("1-page.md");
  expect(difference?.message).toBe("tests/go/wait.go does not have this line here");
  expect(folder.line("1-page.md", difference?.line)).toBe("\treturn err");
});
