import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContainerStatus, pods } from "@operator-path/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openImageStore } from "../images/local/image-store.ts";
import { createProcessHost } from "../process/process-host.ts";
import { eventsOf, getPod, podOf, startTestNode, until } from "../testing/node.ts";

let folder: string;
let node: Awaited<ReturnType<typeof startTestNode>>;
let host: ReturnType<typeof createProcessHost>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "host-failure-"));
  const images = openImageStore(join(folder, "images"));
  const base = { base: "node:26", flavour: "debian" as const, files: [], links: [] };
  const image = async (name: string, cmd: string[]) => {
    const { digest } = await images.add({ ...base, config: { cmd } }, () => "");
    images.name("loaded", `docker.io/library/${name}:1`, digest);
  };
  await image("waits", ["node", "-e", "setInterval(() => {}, 1000)"]);
  await image("missing", ["/no/such/program"]);
  host = createProcessHost({
    images,
    folder: join(folder, "pods"),
    apiServer: { host: "127.0.0.1", port: 1 },
  });
  node = await startTestNode({ processes: host });
});
afterAll(async () => {
  await node.stop();
  await host.stop();
  rmSync(folder, { recursive: true });
});

const inDefault = () => node.client.resource(pods).namespace("default");
const statusOf = (name: string) => async () =>
  (await getPod(node.client, name)()).status?.containerStatuses?.[0];
const isRunning = (status: ContainerStatus | undefined) => status?.state?.running !== undefined;

it.each([
  ["a container", "plain", {}],
  ["a volume", "volume", { volumes: [{ name: "v", emptyDir: {} }] }],
])("reports %s that this machine cannot create in one Event, and creates it later", async (_, name, spec) => {
  // A file where a folder should be stands for a full disk.
  rmSync(join(folder, "pods"), { recursive: true, force: true });
  writeFileSync(join(folder, "pods"), "");
  await inDefault().create(podOf(name, [{ image: "waits:1" }], spec));
  const why = new RegExp(`write to ${folder}/pods of this machine: (?:file already exists|not a directory)$`);
  await until(
    () => eventsOf(node.client, name),
    (events) => events.some((event) => why.test(event)),
  );
  expect(isRunning(await statusOf(name)())).toBe(false);
  rmSync(join(folder, "pods"));
  const status = await until(statusOf(name), isRunning);
  // The failed attempts were not runs of the container.
  expect(status?.restartCount).toBe(0);
  expect((await eventsOf(node.client, name)).filter((event) => why.test(event))).toHaveLength(1);
  expect(node.logged).toEqual([]);
});

it.each([
  ["regular", {}, "containerStatuses" as const],
  ["init", { initContainers: [{ name: "first", image: "missing:1" }] }, "initContainerStatuses" as const],
])(
  "ends a Pod with restartPolicy Never when the program of its %s container is missing",
  async (kind, spec, field) => {
    const image = kind === "init" ? "waits:1" : "missing:1";
    await inDefault().create(podOf(`never-${kind}`, [{ image }], { ...spec, restartPolicy: "Never" }));
    const { status } = await until(
      getPod(node.client, `never-${kind}`),
      (pod) => pod.status?.phase === "Failed",
    );
    expect(status?.[field]?.[0]?.state?.terminated).toMatchObject({
      ...{ exitCode: 128, reason: "StartError", startedAt: "1970-01-01T00:00:00Z" },
      message: expect.stringMatching(
        /^failed to create containerd task: .*stat \/no\/such\/program: no such file or directory: unknown$/,
      ),
    });
  },
);

it("shows why a container does not start, and restarts it", async () => {
  await inDefault().create(podOf("always", [{ image: "missing:1" }]));
  const failed = await until(
    statusOf("always"),
    (status) => status?.state?.waiting?.reason === "RunContainerError",
  );
  expect(failed?.lastState?.terminated).toMatchObject({ exitCode: 128, reason: "StartError" });
  await until(statusOf("always"), (status) => status?.state?.waiting?.reason === "CrashLoopBackOff");
});

it("removes the folder of a container whose program is missing", async () => {
  await inDefault().create(podOf("missing", [{ image: "missing:1" }]));
  await until(statusOf("missing"), (status) => status?.state?.waiting?.reason === "RunContainerError");
  const [host] = readdirSync(join(folder, "pods"));
  const containers = async () => readdirSync(join(folder, "pods", host as string, "containers"));
  await until(containers, (names) => names.length === 0);
});
