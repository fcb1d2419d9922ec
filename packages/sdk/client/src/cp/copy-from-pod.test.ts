import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { packTar, type TarEntry } from "modern-tar";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../kube-config/testing/listen.ts";
import { channelClient } from "../pods/testing/channel-server.ts";
import { copyFromPod } from "./index.ts";
import { containerOf, failed, modeOf, pod, treeOf, useFolder } from "./testing/container.ts";

const { folder, local } = useFolder();

describe("a hostile container", () => {
  const file = (name: string, body = "evil"): TarEntry => ({
    header: { name, size: body.length, type: "file", mode: 0o4755 },
    body,
  });
  const link = (name: string, linkname: string, type: "symlink" | "link"): TarEntry => ({
    header: { name, size: 0, type, linkname },
  });

  test.each([
    ["a parent folder", [file("data/../../evil")]],
    ["a parent folder by its first segment", [file("../evil")]],
    ["an absolute path", [file("/evil")]],
    ["a path beside the source", [file("data/ok"), file("other/evil")]],
    ["a hard link to an absolute path", [link("data/a", "/etc/passwd", "link")]],
    ["a hard link to a parent folder", [link("data/a", "data/../../secret", "link")]],
  ])("that sends %s is rejected, and nothing is written", async (_, entries) => {
    await mkdir(local("in"));
    await writeFile(local("secret"), "secret");
    const hostile = await containerOf(await packTar([file("data/first"), ...entries]));
    const error = await thrownBy(copyFromPod(hostile, pod, "/data", local("in/data")));
    expect(error).toMatchObject({ name: "CopyError", reason: "UnsafeEntry" });
    expect(await treeOf(folder())).toEqual(["in", "secret"]);
  });

  test("cannot write through its own symlinks: links are skipped and reported", async () => {
    await mkdir(local("outside"));
    const entries = [
      link("data/up", local("outside"), "symlink"),
      file("data/up/evil"),
      link("data/file", "../outside/evil", "symlink"),
    ];
    const hostile = await containerOf(await packTar(entries));
    expect(await copyFromPod(hostile, pod, "/data", local("data"))).toEqual({
      ...{ files: 1, bytes: 4 },
      skipped: [
        { path: "up", type: "symlink", link: local("outside") },
        { path: "file", type: "symlink", link: "../outside/evil" },
      ],
    });
    expect(await readdir(local("outside"))).toEqual([]);
    expect(await treeOf(local("data"))).toEqual(["up", "up/evil"]);
    expect((await stat(local("data/up/evil"))).mode & 0o7777).toBe(0o755);
  });

  test("cannot write through a symlink in the target", async () => {
    await mkdir(local("outside"));
    await mkdir(local("data"));
    await symlink(local("outside"), local("data/up"));
    await writeFile(local("precious"), "mine");
    await symlink(local("precious"), local("data/file"));
    const hostile = await containerOf(await packTar([file("data/file"), file("data/up/evil")]));
    expect(await thrownBy(copyFromPod(hostile, pod, "/data", local("data")))).toMatchObject({
      reason: "Conflict",
    });
    expect(await readdir(local("outside"))).toEqual([]);
    expect(await readlink(local("data/file"))).toBe(local("precious"));
    await copyFromPod(await containerOf(await packTar([file("data/file")])), pod, "/data", local("data"));
    expect(await readFile(local("data/file"), "utf8")).toBe("evil");
    expect(await readFile(local("precious"), "utf8")).toBe("mine");
  });

  test("that sends for ever after a rejected entry is disconnected", async () => {
    const archive = await packTar([file("../evil")]);
    const endless = await channelClient(({ send }) => send(1, archive));
    expect(await thrownBy(copyFromPod(endless, pod, "/data", local("data")))).toMatchObject({
      reason: "UnsafeEntry",
    });
  });
});

describe("a failed copy from a container", () => {
  const entries: TarEntry[] = [
    { header: { name: "data/", size: 0, type: "directory", mode: 0o555 } },
    { header: { name: "data/a", size: 3, mode: 0o600 }, body: "new" },
    { header: { name: "data/b", size: 0, type: "link", linkname: "data/a" } },
  ];

  test("leaves existing files unchanged, wherever the archive is cut", async () => {
    await mkdir(local("data"));
    await writeFile(local("data/a"), "old");
    const archive = await packTar(entries);
    for (const length of [0, 100, 512, 1100, 1536, archive.length - 1024, archive.length - 1]) {
      const cut = await containerOf(archive.subarray(0, length));
      expect(await thrownBy(copyFromPod(cut, pod, "/data", local("data"))), `${length}`).toMatchObject({
        ...{ name: "CopyError", reason: "InvalidArchive" },
      });
    }
    const late = await containerOf(archive, failed(2));
    expect(await thrownBy(copyFromPod(late, pod, "/data", local("data")))).toMatchObject({
      reason: "TarFailed",
    });
    const broken = await channelClient(({ tcp, send }) => {
      send(1, archive.subarray(0, 1100));
      tcp.resetAndDestroy();
    });
    expect(await thrownBy(copyFromPod(broken, pod, "/data", local("data")))).toMatchObject({
      name: "RequestError",
    });
    expect(await treeOf(folder())).toEqual(["data", "data/a"]);
    expect(await readFile(local("data/a"), "utf8")).toBe("old");
  });

  test("ends with its signal in the middle of a file", async () => {
    const archive = await packTar(entries);
    const slow = await channelClient(({ send }) => send(1, archive.subarray(0, 1030)));
    const abort = new AbortController();
    const onProgress = () => abort.abort(new Error("enough"));
    const copy = copyFromPod(slow, pod, "/data", local("data"), { onProgress, signal: abort.signal });
    expect((await thrownBy(copy)).message).toBe("enough");
    expect(await readdir(folder())).toEqual([]);
  });

  test("replaces neither a folder with a file nor a file with a folder", async () => {
    const advice = "nothing was copied: move it away, or choose another target";
    await mkdir(local("data/a"), { recursive: true });
    const whole = await containerOf(await packTar(entries));
    expect(await thrownBy(copyFromPod(whole, pod, "/data", local("data")))).toMatchObject({
      ...{
        reason: "Conflict",
        message: `the source has a file where ${local("data/a")} is a folder: ${advice}`,
      },
    });
    await rm(local("data"), { recursive: true });
    await writeFile(local("data"), "mine");
    expect(await thrownBy(copyFromPod(whole, pod, "/data", local("data")))).toMatchObject({
      message: `the source has a folder where ${local("data")} is not a folder: ${advice}`,
    });
    expect(await readFile(local("data"), "utf8")).toBe("mine");
  });

  test("includes a source that is a symlink", async () => {
    const header = { name: "current", size: 0, type: "symlink", linkname: "v2" } as const;
    const linked = await containerOf(await packTar([{ header }]));
    expect((await thrownBy(copyFromPod(linked, pod, "/srv/current", local("x")))).message).toBe(
      "the container main of default/p sent nothing of /srv/current: it is a symlink to v2",
    );
  });

  test("does not include a read-only folder or hard links", async () => {
    const whole = await containerOf(await packTar(entries));
    expect(await copyFromPod(whole, pod, "/data", local("data"))).toEqual({
      files: 2,
      bytes: 3,
      skipped: [],
    });
    expect([await modeOf(local("data")), await modeOf(local("data/b"))]).toEqual(["555", "600"]);
    expect(await readFile(local("data/b"), "utf8")).toBe("new");
    await chmod(local("data"), 0o755);
  });
});
