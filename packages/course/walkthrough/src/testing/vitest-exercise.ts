// The exercise with tests for vitest.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { sizeTest } from "./double-exercise.ts";

export const forVitest = {
  "p/double.test.ts": sizeTest.replace(
    /import \{ before.*\n/,
    'import { beforeAll as before, describe, test } from "vitest";\n',
  ),
};
const vitest = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));
/** A console block that gives the project the vitest of this repository. */
export const install = `
~~~console
$ mkdir -p node_modules/.bin && ln -s ${vitest} node_modules/vitest && ln -s ${vitest}/vitest.mjs node_modules/.bin/vitest
~~~
`;
