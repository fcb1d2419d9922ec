import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findCheckout } from "../workspace/find-checkout.ts";

/**
 * Creates a repository with two packages, where `@small/top` depends on `@small/base`. Uses this repository's
 * TypeScript and esbuild.
 */
export function openSmallCheckout() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "small-checkout-")));
  const write = (path: string, content: unknown): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(root, path), text);
  };
  const compilerOptions = {
    ...{ target: "ES2024", module: "NodeNext", customConditions: ["@operator-path/source"] },
    ...{ types: [], declaration: true, rewriteRelativeImportExtensions: true },
  };
  write("LICENSE", "free");
  write("package.json", { name: "small", private: true, keywords: ["small"], scripts: { test: "true" } });
  write("pnpm-workspace.yaml", "catalog:\n  yaml: 2.9.1\n");
  write("tsconfig.base.json", { compilerOptions });
  mkdirSync(join(root, "node_modules/@small"), { recursive: true });
  for (const tool of ["typescript", "esbuild"])
    symlinkSync(join(findCheckout() ?? "", "node_modules", tool), join(root, "node_modules", tool));
  const entry = {
    "@operator-path/source": "./src/index.ts",
    types: "./dist/index.d.ts",
    default: "./dist/index.js",
  };
  const common = { version: "1.2.3", type: "module", exports: { ".": entry }, files: ["bin", "dist"] };
  write("packages/low/base/package.json", {
    ...{ name: "@small/base", ...common },
    exports: {
      ".": entry,
      "./testing": {
        "@operator-path/source": "./src/testing/index.ts",
        types: "./dist/testing/index.d.ts",
        default: "./dist/testing/index.js",
      },
    },
    dependencies: { yaml: "catalog:" },
    devDependencies: { vitest: "catalog:" },
  });
  write("packages/low/base/src/index.ts", "export const base: number = 1;\n");
  write("packages/low/base/src/testing/index.ts", "export const lent: number = 4;\n");
  write("packages/high/top/src/testing/own.ts", "export const own: number = 4;\n");
  write("packages/high/top/package.json", {
    ...{ name: "@small/top", ...common, bin: { top: "./bin/top.js" } },
    dependencies: { "@small/base": "workspace:^" },
  });
  write("packages/high/top/bin/top.js", '#!/usr/bin/env node\nimport "../dist/index.js";\n');
  write(
    "packages/high/top/src/index.ts",
    'import { base } from "@small/base";\nimport { more } from "./more.ts";\nexport const top = base + more;\n',
  );
  write("packages/high/top/src/more.ts", "export const more: number = 2;\n");
  write("packages/high/top/src/more.test.ts", "this is not TypeScript\n");
  for (const [name, folder] of [
    ["base", "packages/low/base"],
    ["top", "packages/high/top"],
  ] as const) {
    symlinkSync(join(root, folder), join(root, "node_modules/@small", name));
  }
  return { root, write, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
