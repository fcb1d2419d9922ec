import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openImageStore } from "./image-store.ts";
import type { ImageManifest } from "./manifest.ts";

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "store-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const manifest = (content: string): ImageManifest => ({
  base: "node:26",
  flavour: "debian",
  config: { cmd: [content] },
  files: [{ path: "/app/a", type: "file", mode: 0o755, size: content.length, sha256: sha256(content) }],
  links: [],
});
const add = (store: ReturnType<typeof openImageStore>, content: string) =>
  store.add(manifest(content), () => Buffer.from(content));

describe("an image store", () => {
  it("creates nothing before the first image, and then only for this user", async () => {
    const store = openImageStore(join(top, "images"));
    expect(store.names("built")).toEqual([]);
    expect(store.image("sha256:00")).toBeUndefined();
    expect(existsSync(store.folder)).toBe(false);
    const image = await add(store, "x");
    expect(image.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(readFileSync(join(image.root, "app/a"), "utf8")).toBe("x");
    expect(statSync(join(image.root, "app/a")).mode & 0o777).toBe(0o755);
    expect(statSync(store.folder).mode & 0o777).toBe(0o700);
  });

  it("stores the same content once when several callers add it, and no partial image", async () => {
    const folder = join(top, "images");
    const images = await Promise.all(Array.from({ length: 8 }, () => add(openImageStore(folder), "same")));
    expect(new Set(images.map(({ digest }) => digest)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(["images"]);
    const failing = openImageStore(folder).add(manifest("other"), () => join(top, "missing"));
    await expect(failing).rejects.toThrow("ENOENT");
    expect(readdirSync(folder)).toEqual(["images"]);
    expect(readdirSync(join(folder, "images"))).toHaveLength(1);
  });

  it.each([
    ["a path that leads out of it", { path: "/../../out" }, "is not an absolute, normalised path"],
    ["a relative path", { path: "out" }, "is not an absolute, normalised path"],
    ["other bytes than its manifest says", { sha256: sha256("other") }, "does not match"],
    ["another size than its manifest says", { size: 2 }, "does not match"],
  ])("rejects an image that has %s, and removes its files", async (_, change, message) => {
    const folder = join(top, "a", "images");
    const good = manifest("x");
    const bad = { ...good, files: good.files.map((file) => ({ ...file, ...change })) };
    await expect(openImageStore(folder).add(bad, () => Buffer.from("x"))).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(join(top, "a"))).toEqual(["images"]);
  });

  it("finds images by name, and keeps images without a name for the nodes", async () => {
    const store = openImageStore(join(top, "images"), () => 5);
    const other = openImageStore(join(top, "images"));
    const [one, two] = [await add(store, "1"), await add(store, "2")];
    store.name("built", "docker.io/library/a:1", one.digest);
    store.name("pushed", "docker.io/library/a:1", one.digest);
    store.name("built", "docker.io/library/a:1", two.digest);
    expect(other.named("built", "docker.io/library/a:1")).toEqual({
      name: "docker.io/library/a:1",
      digest: two.digest,
      at: 5,
    });
    expect(other.named("pushed", "docker.io/library/a:1")?.digest).toBe(one.digest);
    expect(store.unname("built", "docker.io/library/a:1")).toBe(true);
    expect(store.unname("built", "docker.io/library/a:1")).toBe(false);
    expect(store.named("built", "docker.io/library/a:1")).toBeUndefined();
    const kept = openImageStore(join(top, "images")).image(two.digest);
    expect(readFileSync(join(kept?.root ?? "", "app/a"), "utf8")).toBe("2");
    expect(openImageStore(join(top, "images")).image(one.digest)?.size).toBe(1);
  });
});
