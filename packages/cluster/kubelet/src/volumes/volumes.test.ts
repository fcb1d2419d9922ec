import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMaps, type Pod, pods, secrets } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerSpec } from "../pod/types.ts";
import { createTestPod, run } from "../testing/container.ts";
import { eventsOf, podOf, startTestNode, until } from "../testing/node.ts";
import { volumeFolder } from "./volume-folder.ts";
import { createVolumeReader, VolumeError } from "./volume-reader.ts";
import { containerMounts, makeVolumes, refreshVolumes, removeVolumes } from "./volumes.ts";

let node: Awaited<ReturnType<typeof startTestNode>>;
let folder: string;
beforeAll(async () => {
  node = await startTestNode();
  folder = mkdtempSync(join(tmpdir(), "volumes-"));
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true });
});

const maps = () => node.client.resource(configMaps).namespace("default");
const reading = (clock = createFakeClock()) => ({
  clock,
  reader: createVolumeReader({
    client: node.client,
    clock,
    status: { podIP: "10.244.0.2" },
    nodeName: "node",
  }),
});

it("refreshes a ConfigMap within about 90 seconds, and a token before it expires", async () => {
  await maps().create({ metadata: { name: "settings" }, data: { colour: "blue", old: "1" } });
  const volumes = [
    { name: "config", configMap: { name: "settings" } },
    {
      name: "token",
      projected: { sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 600 } }] },
    },
    { name: "scratch", emptyDir: {} },
  ];
  const pod: Pod = { ...podOf("p", [{ image: "x" }], { volumes, serviceAccountName: "default" }) };
  const stored = await node.client.resource(pods).namespace("default").create(pod);
  const { clock, reader } = reading();
  const made = await makeVolumes(reader, stored);
  const config = volumeFolder(folder, made.get("config") as never);
  const before = await readlink(join(config, "..data"));
  const token = made.get("token")?.files.token;
  expect(token).toMatch(/^ey|.{20}/);
  const stop = new AbortController();
  const keeping = refreshVolumes({
    volumes: made,
    reader,
    pod: () => stored,
    clock,
    random: () => 0.5,
    signal: stop.signal,
    log: () => {},
  });
  await maps().patch("settings", { data: { colour: "green", old: null } }, { type: "merge" });
  await until(
    () => readFile(join(config, "colour"), "utf8"),
    (text) => text === "green",
    () => clock.advance(30_000),
  );
  expect(made.get("config")?.files).toEqual({ colour: "green" });
  expect(await readlink(join(config, "..data"))).not.toBe(before);
  await expect(readFile(join(config, "old"))).rejects.toThrow("ENOENT");
  expect(made.get("token")?.files.token).toBe(token);
  // 80% of ten minutes.
  await until(
    async () => made.get("token")?.files.token,
    (renewed) => renewed !== token,
    () => clock.advance(60_000),
  );
  // The files of a deleted source stay.
  await maps().delete("settings");
  await clock.advance(100_000);
  expect(await readFile(join(config, "colour"), "utf8")).toBe("green");
  stop.abort();
  await keeping;
  await removeVolumes(made);
  await expect(readlink(join(config, "..data"))).rejects.toThrow("ENOENT");
});

it.each([
  [{ configMap: { name: "nope" } }, 'MountVolume.SetUp failed for volume "v" : configmap "nope" not found'],
  [{ secret: { secretName: "nope" } }, 'MountVolume.SetUp failed for volume "v" : secret "nope" not found'],
  [
    { configMap: { name: "some", items: [{ key: "b", path: "b" }] } },
    'MountVolume.SetUp failed for volume "v" : references non-existent config key: b',
  ],
  [{ hostPath: { path: "/etc" } }, /hostPath is refused on a simulated node/],
  [{ nfs: { server: "a", path: "/" } }, /nfs is refused on a simulated node/],
])("reports why %j cannot be mounted", async (source, message) => {
  await maps()
    .create({ metadata: { name: "some" }, data: { a: "1" } })
    .catch(() => undefined);
  const pod = podOf("p", [{ image: "x" }], { volumes: [{ name: "v", ...source }] });
  const failed = await makeVolumes(reading().reader, pod).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(VolumeError);
  expect((failed as Error).message).toMatch(message);
});

it("ignores a missing optional source", async () => {
  const source = { configMap: { name: "nope", optional: true } };
  const pod = podOf("p", [{ image: "x" }], { volumes: [{ name: "v", ...source }] });
  expect((await makeVolumes(reading().reader, pod)).get("v")?.files).toEqual({});
});

it("preserves every byte of binaryData and of a Secret", async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3]);
  const binary = { all: bytes.toString("base64") };
  await maps().create({ metadata: { name: "bytes" }, binaryData: binary, data: { text: "ä" } });
  await node.client
    .resource(secrets)
    .namespace("default")
    .create({ metadata: { name: "bytes" }, data: binary });
  const volumes = [
    { name: "map", configMap: { name: "bytes" } },
    { name: "secret", projected: { sources: [{ secret: { name: "bytes" } }] } },
  ];
  const made = await makeVolumes(reading().reader, podOf("p", [{ image: "x" }], { volumes }));
  for (const volume of made.values())
    expect(readFileSync(join(volumeFolder(folder, volume), "all"))).toEqual(bytes);
  expect(made.get("map")?.files.text).toBe("ä");
});

it("gives files the mode of the item or else of the volume", async () => {
  await maps().create({ metadata: { name: "modes" }, data: { a: "A", b: "B" } });
  const items = [
    { key: "a", path: "a" },
    { key: "b", path: "dir/b", mode: 0o755 },
  ];
  const volumes = [{ name: "v", configMap: { name: "modes", defaultMode: 0o400, items } }];
  const spec = podOf("p", [{ image: "x" }], { volumes });
  const made = await makeVolumes(reading().reader, spec);
  const mounts = { command: ["sleep", "1000"], volumeMounts: [{ name: "v", mountPath: "/v" }] };
  const simulated = await createTestPod({ volumes: made }).start({ image: "busybox", ...mounts });
  expect((await run(simulated, ["sh", "-c", "stat -c %a /v/a /v/dir/b"])).stdout).toBe("400\n755\n");
  const stranger = await createTestPod({ volumes: made, runAsUser: 1000 }).start({
    image: "busybox",
    securityContext: { runAsGroup: 1000 },
    ...mounts,
  });
  expect((await run(stranger, ["sh", "-c", "cat /v/a"])).stderr).toContain("Permission denied");
  expect((await run(stranger, ["sh", "-c", "cat /v/dir/b"])).stdout).toBe("B");
  const path = volumeFolder(folder, made.get("v") as never);
  const modeOf = (file: string) => statSync(join(path, file)).mode & 0o777;
  expect([modeOf("a"), modeOf("dir/b")]).toEqual([0o400, 0o755]);

  const grouped = { ...spec, spec: { ...spec.spec, securityContext: { fsGroup: 5 } } } as Pod;
  const ofGroup = await createTestPod({
    volumes: await makeVolumes(reading().reader, grouped),
    runAsUser: 1000,
  }).start({ image: "busybox", securityContext: { runAsGroup: 1000 }, ...mounts });
  expect(await run(ofGroup, ["sh", "-c", "cat /v/a"])).toMatchObject({ stdout: "A", exitCode: 0 });
});

it("shows the resources of the container that a downwardAPI volume names", async () => {
  const resourceFieldRef = { containerName: "second", resource: "limits.memory", divisor: "1Mi" };
  const pod = podOf(
    "p",
    [{ image: "x" }, { name: "second", image: "x", resources: { limits: { memory: "64Mi" } } }],
    { volumes: [{ name: "v", downwardAPI: { items: [{ path: "memory", resourceFieldRef }] } }] },
  );
  expect((await makeVolumes(reading().reader, pod)).get("v")?.files).toEqual({ memory: "64" });
});

const mounting = (mount: object) =>
  ({ name: "main", volumeMounts: [{ name: "v", mountPath: "/v", ...mount }] }) as ContainerSpec;

it("expands subPathExpr with the container's environment, and rejects paths out of the volume", () => {
  const volumes = new Map([["v", { name: "v", files: {} }]]);
  const subPath = (subPathExpr: string, env: Record<string, string>) =>
    containerMounts(mounting({ subPathExpr }), volumes, env)[0]?.subPath;
  expect(subPath("logs/$(POD)", { POD: "p-0" })).toBe("logs/p-0");
  expect(() => subPath("$(B)/$(A)/$(POD)", { POD: "p-0", A: "" })).toThrow(/^missing value for A, B$/);
  expect(() => subPath("$(P)", { P: "/etc" })).toThrow("error SubPath `/etc` must not be an absolute path");
  expect(() => subPath("a/$(P)", { P: "../.." })).toThrow(
    "unable to provision SubPath `a/../..`: must not contain '..'",
  );
});

it("keeps a subPath of a ConfigMap unchanged until the container restarts", async () => {
  await maps().create({ metadata: { name: "sub" }, data: { k: "one", other: "1" } });
  const volumes = [{ name: "v", configMap: { name: "sub" } }];
  const pod = podOf("p", [{ image: "x" }], { volumes });
  const { clock, reader } = reading();
  const made = await makeVolumes(reader, pod);
  const start = () => containerMounts(mounting({ subPath: "k" }), made, {})[0]?.volume as never;
  const path = volumeFolder(folder, start());
  const stop = new AbortController();
  const keeping = refreshVolumes({
    volumes: made,
    reader,
    pod: () => pod,
    clock,
    random: () => 0,
    signal: stop.signal,
    log: () => {},
  });
  await maps().patch("sub", { data: { k: "two" } }, { type: "merge" });
  await until(
    async () => made.get("v")?.files.k,
    (text) => text === "two",
    () => clock.advance(30_000),
  );
  expect(readFileSync(join(path, "k"), "utf8")).toBe("one");
  expect(() => statSync(join(path, "other"))).toThrow("ENOENT");
  const restarted = volumeFolder(folder, start());
  expect(readFileSync(join(restarted, "k"), "utf8")).toBe("two");
  expect(() => statSync(path)).toThrow("ENOENT");
  stop.abort();
  await keeping;
  await removeVolumes(made);
  expect(() => statSync(restarted)).toThrow("ENOENT");
});

it("reports in an Event that one item's path is below another item's", async () => {
  await maps().create({ metadata: { name: "overlapping" }, data: { a: "1", b: "2" } });
  const items = [
    { key: "a", path: "x" },
    { key: "b", path: "x/y" },
  ];
  const pod = podOf("overlapping", [{ image: "busybox", volumeMounts: [{ name: "v", mountPath: "/v" }] }], {
    volumes: [{ name: "v", configMap: { name: "overlapping", items } }],
  });
  await node.client.resource(pods).namespace("default").create(pod);
  const recorded = await until(
    () => eventsOf(node.client, "overlapping"),
    (events) => events.some((event) => event.startsWith("FailedMount")),
  );
  expect(recorded.filter((event) => event.startsWith("FailedMount"))).toEqual([
    `FailedMount: MountVolume.SetUp failed for volume "v" : mkdir x: not a directory: x/y cannot be below x, which is a file of the same volume`,
  ]);
});

it.each([-1, 1])(
  "requests another token when the clock is set by %s day, because the old one is not valid then",
  async (days) => {
    const volumes = [
      {
        name: "token",
        projected: { sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 600 } }] },
      },
    ];
    const name = days < 0 ? "set-back" : "set-forward";
    const pod: Pod = { ...podOf(name, [{ image: "x" }], { volumes, serviceAccountName: "default" }) };
    const stored = await node.client.resource(pods).namespace("default").create(pod);
    const { clock, reader } = reading();
    const [volume] = volumes;
    const token = async () => (await reader.read(stored, volume as never)).token;
    const first = await token();
    expect(await token()).toBe(first);
    clock.set(days * 24 * 3_600_000);
    expect(await token()).not.toBe(first);
  },
);
