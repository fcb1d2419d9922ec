import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ImageStore, openImageStore } from "@operator-path/kubelet/local-images";
import { create } from "tar";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readImages, saveImages } from "./archive.ts";
import { type TestProject, testProject } from "./testing/project.ts";

let top: string;
let store: ImageStore;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "archive-"));
  store = openImageStore(join(top, "images"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const sha256 = createHash("sha256").update("owned").digest("hex");
const file = { path: "/app/x", type: "file", mode: 0o644, size: 5, sha256 };
const image = {
  base: "node:26",
  flavour: "debian",
  config: { cmd: ["node", "/app/x"] },
  files: [file],
  links: [] as object[],
};

/** Writes an archive by hand. */
async function archive(
  manifest: unknown,
  files: Record<string, string> = { "app/x": "owned" },
  name = "evil:1",
) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, "made", path)), { recursive: true });
    writeFileSync(join(top, "made", path), text);
  };
  write("images.json", JSON.stringify([{ name, folder: "0" }]));
  write("0/manifest.json", JSON.stringify(manifest));
  for (const [path, text] of Object.entries(files)) write(`0/root/${path}`, text);
  await create({ cwd: join(top, "made"), file: join(top, "made.tar") }, ["images.json", "0"]);
  return join(top, "made.tar");
}

it("reads a valid archive, without its references to folders of this machine", async () => {
  const links = [{ path: "/app/h", target: "/etc", reads: ["/etc"], lock: "" }];
  const [read] = await readImages(store, await archive({ ...image, links }));
  expect(read).toMatchObject({ name: "evil:1", left: ["/app/h"] });
  const taken = store.image(read?.digest ?? "");
  expect(taken?.manifest.links).toEqual([]);
  expect(readFileSync(join(taken?.root ?? "", "app/x"), "utf8")).toBe("owned");
});

const climbing = "/../../../../../../../../../../../..";
it.each<[string, (out: string) => unknown]>([
  ["a file path with ..", (out) => ({ ...image, files: [{ ...file, path: climbing + out }] })],
  [
    "a folder path with ..",
    (out) => ({ ...image, files: [{ ...file, type: "folder", path: climbing + out }] }),
  ],
  ["a relative path", (out) => ({ ...image, files: [{ ...file, path: `${climbing.slice(1)}${out}` }] })],
  ["a link path with ..", (out) => ({ ...image, links: [{ path: climbing + out }] })],
  ["a mode with setuid", () => ({ ...image, files: [{ ...file, mode: 0o4755 }] })],
  ["a wrong hash", () => ({ ...image, files: [{ ...file, sha256: "0".repeat(64) }] })],
  ["a wrong size", () => ({ ...image, files: [{ ...file, size: 6 }] })],
  ["a missing hash", () => ({ ...image, files: [{ ...file, sha256: "" }] })],
  ["a missing file", () => ({ ...image, files: [{ ...file, path: "/app/y" }] })],
  ["a working directory with ..", () => ({ ...image, config: { workingDir: "/../.." } })],
  ["a missing manifest", () => null],
  ["a manifest that is not an object", () => "x"],
])("rejects %s, and writes nothing", async (_, manifest) => {
  const out = join(top, "slipped");
  const path = await archive(manifest(out), { "app/x": "owned", [out.slice(1)]: "owned" });
  await expect(readImages(store, path)).rejects.toThrow(/was not written by `container-tool save`/);
  expect(existsSync(out)).toBe(false);
  expect(existsSync(store.folder) ? readdirSync(store.folder) : []).toEqual([]);
});

let project: TestProject | undefined;
afterEach(() => project?.remove());
it("reads a saved archive", async () => {
  project = testProject({ "main.js": "1" });
  const built = await project.build(
    'FROM node:26\nWORKDIR /app\nCOPY main.js .\nEXPOSE 80\nCMD ["node", "main.js"]\n',
  );
  project.store.name("built", "a:1", built.digest);
  await saveImages(project.store, ["a:1"], join(top, "a.tar"));
  expect(await readImages(store, join(top, "a.tar"))).toEqual([
    { name: "a:1", digest: built.digest, left: [] },
  ]);
});

it("reads only a tool's name, never its path on this machine", async () => {
  const tools = [{ path: "/usr/local/bin/helm", tool: "helm", version: "4.2.3", target: "/bin/sh" }];
  const [read] = await readImages(store, await archive({ ...image, tools }));
  expect(store.image(read?.digest ?? "")?.manifest.tools).toEqual([
    { path: "/usr/local/bin/helm", tool: "helm", version: "4.2.3" },
  ]);
  const other = await archive({ ...image, tools: [{ ...tools[0], tool: "sh" }] });
  await expect(readImages(store, other)).rejects.toThrow(/manifest of evil:1.*tool/s);
});
