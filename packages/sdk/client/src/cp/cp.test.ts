import { spawn, spawnSync } from "node:child_process";
import {
  chmod,
  link as hardLink,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { unpackTar } from "modern-tar";
import { describe, expect, onTestFinished, test } from "vitest";
import { thrownBy } from "../kube-config/testing/listen.ts";
import { exec } from "../pods/exec.ts";
import { type ChannelSession, channelClient, success } from "../pods/testing/channel-server.ts";
import { startPodScene } from "../pods/testing/pod-scene.ts";
import { type CopyProgress, copyFromPod, copyToPod } from "./index.ts";
import { containerOf, failed, modeOf, pod, treeOf, useFolder } from "./testing/container.ts";

const scene = await startPodScene();
const { client } = scene;
const box = await scene.run("box", [{ command: ["sleep", "infinity"] }]);

const { folder, local } = useFolder();

describe("a copy on the embedded cluster", () => {
  test("copies a folder to a container and back, with its modes, and reports progress", async () => {
    await mkdir(local("settings/deep"), { recursive: true });
    await writeFile(local("settings/colour"), "blue");
    await chmod(local("settings/colour"), 0o640);
    await writeFile(local("settings/deep/big"), Buffer.alloc(300_000, "x"));
    await writeFile(local("settings/empty"), "");
    const [up, down]: [CopyProgress[], CopyProgress[]] = [[], []];
    const copied = { files: 3, bytes: 300_004, skipped: [] };
    expect(
      await copyToPod(client, box, local("settings"), "/tmp/there", { onProgress: (it) => up.push(it) }),
    ).toEqual(copied);
    expect((await exec(client, box, ["cat", "/tmp/there/colour"])).stdout).toBe("blue");
    expect(
      await copyFromPod(client, box, "/tmp/there", local("back"), { onProgress: (it) => down.push(it) }),
    ).toEqual(copied);
    expect(await treeOf(local("back"))).toEqual(await treeOf(local("settings")));
    expect(await readFile(local("back/deep/big"), "utf8")).toBe("x".repeat(300_000));
    expect(await modeOf(local("back/colour"))).toBe("640");
    for (const progress of [up, down]) {
      expect(progress).toContainEqual({ path: "colour", files: 0, bytes: 4 });
      expect(progress.at(-1)).toEqual({ path: "empty", files: 3, bytes: 300_004 });
    }
    expect(await treeOf(folder())).not.toContainEqual(expect.stringMatching(/^\./));
  });

  test("copies a single file, and replaces an existing one", async () => {
    await writeFile(local("a"), "new");
    await copyToPod(client, box, local("a"), "/tmp/b");
    await writeFile(local("c"), "old");
    expect(await copyFromPod(client, box, "/tmp/b", local("c"))).toEqual({ files: 1, bytes: 3, skipped: [] });
    expect(await readFile(local("c"), "utf8")).toBe("new");
  });

  test("merges into an existing folder, and keeps its other files", async () => {
    await mkdir(local("from"));
    await writeFile(local("from/a"), "new");
    await copyToPod(client, box, local("from"), "/tmp/merge");
    await mkdir(local("to"));
    await writeFile(local("to/a"), "old");
    await writeFile(local("to/b"), "mine");
    await copyFromPod(client, box, "/tmp/merge", local("to"));
    expect(await treeOf(local("to"))).toEqual(["a", "b"]);
    expect(await readFile(local("to/a"), "utf8")).toBe("new");
  });

  test("reports tar's message about a missing path", async () => {
    expect(await thrownBy(copyFromPod(client, box, "/no/such", local("b")))).toMatchObject({
      ...{ name: "CopyError", reason: "TarFailed" },
      message: expect.stringMatching(/^tar in the Pod default\/box ended with exit code \d+: .*no/i),
    });
    expect(await readdir(folder())).toEqual([]);
  });

  test("rejects a missing source, and a path without a name, before it sends anything", async () => {
    expect(await thrownBy(copyToPod(client, box, local("none"), "/tmp/x"))).toMatchObject({ code: "ENOENT" });
    for (const path of ["", "..", "a/..//.."])
      expect(await thrownBy(copyFromPod(client, box, path, local("x")))).toMatchObject({
        name: "UsageError",
      });
  });
});

describe("the archive for a container", () => {
  /** A container without folders. It stores the standard input of `tar`. */
  async function receiver() {
    const received: Buffer[] = [];
    const words: string[][] = [];
    const client = await channelClient(({ socket, request, send }: ChannelSession) => {
      const command = new URL(request.url ?? "", "http://x").searchParams.getAll("command");
      words.push(command);
      if (command[0] === "test") {
        send(3, failed(1));
        return socket.close(1000);
      }
      socket.on("message", (data: Buffer) => {
        if (data[0] === 0) received.push(data.subarray(1));
        if (data[0] !== 255) return;
        send(3, success);
        socket.close(1000);
      });
    });
    return { client, words, entries: () => unpackTar(Buffer.concat(received), { strict: true }) };
  }

  test("keeps symlinks, follows a source that is a symlink, skips sockets, and contains no local user", async () => {
    await mkdir(local("real"));
    await symlink("/etc/passwd", local("real/link"));
    await symlink("real", local("source"));
    const server = createServer().listen(local("real/socket"));
    onTestFinished(() => void server.close());
    const { client, words, entries } = await receiver();
    expect(await copyToPod(client, pod, local("source"), "dir/-name/")).toEqual({
      ...{ files: 0, bytes: 0 },
      skipped: [{ path: "socket", type: "socket" }],
    });
    expect(words).toEqual([
      ["test", "-d", "dir/-name"],
      ["tar", "-xpmf", "-", "-C", "dir"],
    ]);
    expect((await entries()).map(({ header }) => header)).toMatchObject([
      { name: "-name/", type: "directory", uid: 0, gid: 0 },
      { name: "-name/link", type: "symlink", linkname: "/etc/passwd", uid: 0 },
    ]);
  });

  test("ends with its signal, even while the container does not read", async () => {
    await writeFile(local("big"), Buffer.alloc(20_000_000));
    const abort = new AbortController();
    const stuck = await channelClient(({ tcp }) => {
      tcp.pause();
      abort.abort(new Error("enough"));
    });
    expect(
      (await thrownBy(copyToPod(stuck, pod, local("big"), "/big", { signal: abort.signal }))).message,
    ).toBe("enough");
  });
});

describe.skipIf(spawnSync("tar", ["--version"]).status !== 0)("a copy by this machine's tar", () => {
  /** A container with the files of a local folder. */
  const container = (cwd: string) =>
    channelClient(({ socket, request, send }) => {
      const [program = "", ...args] = new URL(request.url ?? "", "http://x").searchParams.getAll("command");
      const child = spawn(program, args, { cwd });
      child.stdout.on("data", (chunk: Buffer) => send(1, chunk));
      child.stderr.on("data", (chunk: Buffer) => send(2, chunk));
      child.stdin.on("error", () => {});
      child.on("close", (code) => {
        send(3, code === 0 ? success : failed(code ?? 1));
        socket.close(1000);
      });
      socket.on("message", (data: Buffer) => {
        if (data[0] === 0) child.stdin.write(data.subarray(1));
        else if (data[0] === 255) child.stdin.end();
      });
    });

  test("carries long names, modes, links and megabytes in both directions", async () => {
    const long = `${"a".repeat(120)}/${"ü".repeat(80)}`;
    await mkdir(local("from", "a".repeat(120)), { recursive: true });
    await mkdir(local("in"));
    await writeFile(local("from", long), "long");
    await writeFile(local("from/big"), Buffer.alloc(20_000_001, "0123456789"));
    await writeFile(local("from/run"), "#!/bin/sh\n");
    await chmod(local("from/run"), 0o750);
    await symlink("run", local("from/link"));
    const client = await container(local("in"));
    await copyToPod(client, pod, local("from"), "-odd name/");
    expect(await treeOf(local("in/-odd name"))).toEqual(await treeOf(local("from")));
    expect(await readlink(local("in/-odd name/link"))).toBe("run");
    await hardLink(local("in/-odd name/run"), local("in/-odd name/same"));
    expect(await copyFromPod(client, pod, "-odd name", local("back"))).toEqual({
      ...{ files: 4, bytes: 20_000_001 + 4 + 10 },
      skipped: [{ path: "link", type: "symlink", link: "run" }],
    });
    expect(await readFile(local("back", long), "utf8")).toBe("long");
    expect((await readFile(local("back/big"))).equals(await readFile(local("from/big")))).toBe(true);
    expect([await modeOf(local("back/run")), await modeOf(local("back/same"))]).toEqual(["750", "750"]);
    expect(await readFile(local("back/same"), "utf8")).toBe("#!/bin/sh\n");
    // The complete folder of the container.
    expect((await copyFromPod(client, pod, ".", local("all"))).files).toBe(4);
    expect(await readdir(local("all"))).toEqual(["-odd name"]);
  });

  test("keeps the mode of an existing target folder", async () => {
    await mkdir(local("from"));
    await writeFile(local("from/a"), "x");
    await chmod(local("from"), 0o755);
    for (const [target, path] of [
      ["in", "in"],
      ["./in/", "in"],
      [".", "."],
    ] as const) {
      await mkdir(local("box/in"), { recursive: true });
      await chmod(local("box", path), 0o1777);
      await copyToPod(await container(local("box")), pod, local("from"), target);
      expect((await stat(local("box", path))).mode & 0o7777, target).toBe(0o1777);
      expect(await readFile(local("box", path, "a"), "utf8"), target).toBe("x");
      await rm(local("box"), { recursive: true });
    }
  });

  test("follows a target that is a symlink to a folder", async () => {
    await mkdir(local("from/deep"), { recursive: true });
    await writeFile(local("from/deep/a"), "x");
    await mkdir(local("box/real"), { recursive: true });
    await symlink("real", local("box/current"));
    await copyToPod(await container(local("box")), pod, local("from"), "current");
    expect(await readlink(local("box/current"))).toBe("real");
    expect(await readFile(local("box/real/deep/a"), "utf8")).toBe("x");
  });

  test("copies an empty folder, whether the target exists or not", async () => {
    await mkdir(local("from"));
    await mkdir(local("box"));
    const client = await container(local("box"));
    const nothing = { files: 0, bytes: 0, skipped: [] };
    expect(await copyToPod(client, pod, local("from"), "new")).toEqual(nothing);
    expect(await copyToPod(client, pod, local("from"), "new")).toEqual(nothing);
    expect(await treeOf(local("box"))).toEqual(["new"]);
  });

  test("reports tar's message about a missing folder", async () => {
    await writeFile(local("a"), "x");
    const client = await container(folder());
    for (const copy of [
      () => copyToPod(client, pod, local("a"), "no/such/a"),
      () => copyFromPod(client, pod, "no/such/a", local("b")),
    ])
      expect(await thrownBy(copy())).toMatchObject({
        reason: "TarFailed",
        message: expect.stringMatching(/^tar in .* ended with exit code 2: tar: no\/such: Cannot open/),
      });
  });
});

test("fails if tar reads nothing and reports success", async () => {
  await writeFile(local("big"), Buffer.alloc(20_000_000));
  const deaf = await containerOf(new Uint8Array());
  expect(await thrownBy(copyToPod(deaf, pod, local("big"), "/big"))).toMatchObject({
    ...{ name: "CopyError", reason: "TarFailed" },
    message: "tar in the container main of default/p exited before it had read the whole archive",
  });
});

test("ends the copy with the error of onProgress", async () => {
  await writeFile(local("a"), "x");
  const onProgress = () => {
    throw new Error("no more");
  };
  const copies = [
    () => copyToPod(client, box, local("a"), "/tmp/thrown", { onProgress }),
    () => copyFromPod(client, box, "/etc/hostname", local("b"), { onProgress }),
  ];
  for (const copy of copies) expect((await thrownBy(copy())).message).toBe("no more");
  expect(await readdir(folder())).toEqual(["a"]);
});

describe("a container without tar", () => {
  test.each([
    [
      "the runtime's error",
      JSON.stringify({
        ...{ status: "Failure", code: 500, reason: "InternalError" },
        message: 'OCI runtime exec failed: exec: "tar": executable file not found in $PATH: unknown',
      }),
    ],
    ["the exit code 127", failed(127)],
    ["the exit code 126", failed(126)],
  ])("is recognized by %s", async (_, status) => {
    const message =
      /^the container main of default\/p has no tar, which copying files needs: use an image with tar/;
    await writeFile(local("a"), "x");
    const without = await containerOf(new Uint8Array(), status);
    await mkdir(local("from"));
    const copies = [
      () => copyFromPod(without, pod, "/a", local("b")),
      () => copyToPod(without, pod, local("a"), "/a"),
      () => copyToPod(without, pod, local("from"), "/a"),
    ];
    for (const copy of copies) {
      const error = await thrownBy(copy());
      expect(error).toMatchObject({ name: "CopyError", reason: "TarMissing" });
      expect(error.message).toMatch(message);
    }
    expect(await readdir(folder())).toEqual(["a", "from"]);
  });
});
