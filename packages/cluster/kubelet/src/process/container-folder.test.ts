import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { LocalImage } from "../images/local/image-store.ts";
import type { ManifestLink } from "../images/local/manifest.ts";
import type { ContainerConfig } from "../runtime/contracts.ts";
import { makeContainerFolder } from "./container-folder.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "container-folder-"));
  write("image/app/main.js", "1");
  write("project/node_modules/dep/index.js", "dep");
  write("project/node_modules/.cache/precious", "x");
  write("victim/precious", "x");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

/** Creates the folder of a container whose image refers to the project's node_modules. */
function make(
  options: { mounts?: string[]; files?: Record<string, string>; links?: Record<string, string> } = {},
) {
  const links = Object.entries(
    options.links ?? { "/app/node_modules": join(top, "project/node_modules") },
  ).map(([path, target]): ManifestLink => ({ path, target, reads: [target], lock: "" }));
  const image = { root: join(top, "image"), manifest: { links } } as unknown as LocalImage;
  const config = {
    id: "0123456789abcdef0123",
    tag: "1",
    image: { files: () => ({}) },
    runtimeFiles: options.files ?? {},
    mounts: (options.mounts ?? []).map((path, i) => ({
      path,
      readOnly: false,
      volume: { name: `v${i}`, files: {}, readOnly: false },
    })),
  } as unknown as ContainerConfig;
  return makeContainerFolder(join(top, "containers"), join(top, "volumes"), config, image);
}
const up = "/../../../../../../../../../../../..";

it("replaces a folder of the image by a volume, and creates its parent folders", () => {
  write("image/data/old", "x");
  const { root, mounts } = make({ mounts: ["/data", "/a/b/c/"] });
  expect(lstatSync(join(root, "data")).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(root, "a/b/c")).isSymbolicLink()).toBe(true);
  expect(mounts.map(([path]) => path).sort()).toEqual(["/a/b/c", "/data"]);
  expect(readFileSync(join(root, "app/node_modules/dep/index.js"), "utf8")).toBe("dep");
});

it("mounts a volume inside node_modules by its path, without changing the project's files", () => {
  const { root, mounts, writes } = make({
    mounts: ["/app/node_modules/.cache", "/app/node_modules/dep/made"],
  });
  expect(readdirSync(join(top, "project/node_modules/.cache"))).toEqual(["precious"]);
  expect(readdirSync(join(top, "project/node_modules/dep"))).toEqual(["index.js"]);
  expect(lstatSync(join(top, "project/node_modules/.cache")).isSymbolicLink()).toBe(false);
  expect(Object.fromEntries(mounts)["/app/node_modules/.cache"]).toBe(
    writes.find((path) => /v0$/.test(path)),
  );
  expect(existsSync(join(root, "app/main.js"))).toBe(true);
});

it.each([
  ["a volume", (path: string) => ({ mounts: [path] })],
  ["a file of the runtime", (path: string) => ({ files: { [path]: "overwritten" } })],
  ["a link of the image", (path: string) => ({ links: { [path]: tmpdir() } })],
])("keeps %s inside the container when its path contains ..", (_, options) => {
  const { root } = make(options(`${up}${join(top, "victim")}`));
  expect(readdirSync(join(top, "victim"))).toEqual(["precious"]);
  expect(lstatSync(join(top, "victim")).isSymbolicLink()).toBe(false);
  expect(existsSync(join(root, top, "victim")) || lstatSync(join(root, top, "victim")).isSymbolicLink()).toBe(
    true,
  );
  const climbing = `/${relative(root, join(top, "victim"))}`;
  rmSync(join(top, "containers"), { recursive: true });
  make(options(climbing));
  expect(readdirSync(join(top, "victim"))).toEqual(["precious"]);
});

it("changes nothing inside another volume, and nothing for a volume at /", () => {
  const { root } = make({ mounts: ["/data", "/data/inner", "/"] });
  expect(readdirSync(join(root, "data"))).toEqual([]);
  expect(existsSync(join(root, "app/main.js"))).toBe(true);
});

it("keeps a file that is in the place of a volume's parent folder", () => {
  const { root } = make({ mounts: ["/app/main.js/deep"] });
  expect(readFileSync(join(root, "app/main.js"), "utf8")).toBe("1");
});
