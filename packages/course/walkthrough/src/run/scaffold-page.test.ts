import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { expect, test } from "vitest";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";

const first = `---
title: One
requires: [operator-sdk]
project: shop-operator
start: nothing
---
## A project

~~~console replay
$ mkdir shop-operator && cd shop-operator
$ operator-sdk init --domain example.com --repo github.com/example/shop-operator
...
Next: define a resource with:
\\$ operator-sdk create api
~~~

~~~console
$ operator-sdk init
...
[..]this folder already has a PROJECT[..]
? 1
~~~

## An API

~~~console replay
$ operator-sdk create api --group shop --version v1 --kind Order --resource --controller
~~~

[hack](shop-operator/hack)
~~~tree
.
├── boilerplate.txt
├── delete-objects.sh
└── which-cluster.sh
~~~

[order.types.ts](shop-operator/api/v1/order.types.ts)
~~~diff
   /** foo is an example field of Order. Replace it by your own */
-  foo?: string;
+  pieces?: number;
~~~
`;
const second = `---
title: Two
requires: [operator-sdk]
project: shop-operator
start: page 1
---
## Go on

[order.types.ts](shop-operator/api/v1/order.types.ts)
~~~ts
  pieces?: number;
~~~

~~~console
$ operator-sdk edit --multigroup=false
$ operator-sdk version | grep -c operator-sdk
1
~~~
`;

const root = join(import.meta.dirname, "../../../../..");

/** Returns the tutorial with the project of its pages, as an installed command makes it. */
async function withProject(files: Readonly<Record<string, string>>) {
  const tutorial = temporaryTutorial(files);
  const cwd = join(tutorial.folder, "shop-operator");
  mkdirSync(cwd);
  const quiet = () => {};
  for (const line of [
    "init --domain example.com --repo github.com/example/shop-operator",
    "create api --group shop --version v1 --kind Order --resource --controller",
  ])
    expect(await runOperatorSdk(line.split(" "), { cwd, stdout: quiet, stderr: quiet })).toBe(0);
  const types = join(cwd, "api/v1/order.types.ts");
  writeFileSync(types, readFileSync(types, "utf8").replace("foo?: string", "pieces?: number"));
  return tutorial;
}

test("scaffolds a project with the checkout's operator-sdk, and goes on with it on the next page", async () => {
  using tutorial = await withProject({ "1-first.md": first, "2-second.md": second });
  for (const page of ["1-first.md", "2-second.md"]) {
    const report = await tutorial.run(page, { root });
    expect(report.difference).toBeUndefined();
    expect(report).toMatchObject({ passed: true, leaks: [] });
  }
  expect(tutorial.left()).toEqual([]);
});
