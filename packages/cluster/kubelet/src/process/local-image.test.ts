import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createImageCatalog } from "../images/catalog.ts";
import { defaultImages } from "../images/default-images.ts";
import { openImageStore } from "../images/local/image-store.ts";
import { parseImageReference } from "../images/reference.ts";
import { withLocalImages } from "./local-image.ts";
import { createProcessHost } from "./process-host.ts";

const folder = mkdtempSync(join(tmpdir(), "catalog-"));
afterAll(() => rmSync(folder, { recursive: true }));
const images = openImageStore(join(folder, "images"), () => 7);
const host = createProcessHost({
  images,
  folder: join(folder, "pods"),
  apiServer: { host: "127.0.0.1", port: 1 },
});
const catalog = withLocalImages(createImageCatalog(defaultImages), host);
const find = (name: string) => catalog.find(parseImageReference(name) as never);

it("finds simulated images before pushed ones, and loaded ones without a pull", async () => {
  const manifest = {
    base: "node:26",
    flavour: "debian" as const,
    config: { cmd: ["-v"] },
    files: [],
    links: [],
  };
  const { digest } = await images.add(manifest, () => "");
  images.name("built", "docker.io/library/mine:1", digest);
  expect(find("mine:1")).toBeUndefined();
  images.name("pushed", "docker.io/library/mine:1", digest);
  images.name("pushed", "docker.io/library/nginx:1", digest);
  expect(find("mine:1")?.local?.digest).toBe(digest);
  expect(find("mine:1")).toBe(find("mine:1"));
  expect(find(`mine@${digest}`)?.local?.digest).toBe(digest);
  expect(find(`other@${digest}`)).toBeUndefined();
  expect(find("mine:2")).toBeUndefined();
  expect(find("nginx:1")?.local).toBeUndefined();
  const reference = parseImageReference("mine:1") as never;
  expect(catalog.loaded?.(reference)).toBeUndefined();
  images.name("loaded", "docker.io/library/mine:1", digest);
  expect(catalog.loaded?.(reference)).toMatchObject({ at: 7, image: { config: { cmd: ["-v"] } } });
});
