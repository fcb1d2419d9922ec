import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { packPackages } from "@operator-path/operator-sdk";
import { execa } from "execa";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { extract } from "tar";
import { afterAll, describe, expect, test } from "vitest";
import { checkLinks } from "../house/link-rules.ts";

/** What an author gets from the registry, judged by the tools that the field uses. */
const root = join(import.meta.dirname, "../..");
const packed = await packPackages({ root });
const folder = mkdtempSync(join(tmpdir(), "tarballs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The packages are ESM only, and Node 22.12 and later `require()` ESM. So attw checks neither CommonJS nor the
// resolution of Node 10, which ignores `exports`.
const attwFlags = ["--profile", "esm-only", "--no-emoji", "--format", "ascii"];

test("every package of the sdk and cluster wings is packed", () => {
  const wings = ["sdk", "cluster"].flatMap((wing) =>
    readdirSync(join(root, "packages", wing)).map((name) => `packages/${wing}/${name}`),
  );
  expect(packed.map(({ importer }) => importer).sort()).toEqual(wings.sort());
});

describe.each(packed)("the tarball of $name", ({ name, tarball }) => {
  test("has nothing that publint reports", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: arrayBuffer(tarball) }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("has nothing that attw reports", async () => {
    const local = { preferLocal: true, localDir: join(root, "scripts"), reject: false };
    const { exitCode, stdout } = await execa("attw", [...attwFlags, tarball], local);
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain("node16 (from ESM): OK (ESM)");
  });

  test("has a manifest without traces of the workspace", async () => {
    const manifest = readFileSync(join(await unpack(name, tarball), "package.json"), "utf8");
    expect(manifest).not.toMatch(/catalog:|workspace:|link:|@operator-path\/source|\.\/src\//);
    expect(JSON.parse(manifest)).toMatchObject({
      license: "Apache-2.0",
      engines: { node: expect.any(String) },
      keywords: expect.arrayContaining(["kubernetes"]),
    });
  });

  test("has pages whose links lead to files of the tarball, or to the web", async () => {
    const unpacked = await unpack(name, tarball);
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(unpacked.length + 1)
          .replaceAll(sep, "/"),
      );
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const read = (file: string): string => readFileSync(join(unpacked, file), "utf8");
    const pages = files.filter((file) => file.endsWith(".md"));
    expect(pages.flatMap((file) => checkLinks(file, { files: new Set(files), read }))).toEqual([]);
  });
});

function arrayBuffer(file: string): ArrayBuffer {
  return new Uint8Array(readFileSync(file)).buffer;
}

async function unpack(name: string, tarball: string): Promise<string> {
  const cwd = join(folder, name.replace("/", "-"));
  mkdirSync(cwd, { recursive: true });
  await extract({ file: tarball, cwd, strip: 1 });
  return cwd;
}
