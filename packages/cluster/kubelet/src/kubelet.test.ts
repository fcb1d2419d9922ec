import { kubernetesVersion } from "@operator-path/apiserver";
import { isNotFound, nodes, type Pod, pods } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { afterEach, describe, expect, it } from "vitest";
import { eventsOf, getPod, isReady, podOf, startTestNode, until } from "./testing/node.ts";

let node: Awaited<ReturnType<typeof startTestNode>>;
afterEach(() => node.stop());

const create = (pod: Pod) => node.client.resource(pods).namespace("default").create(pod);
const status = (pod: Pod, i = 0) => pod.status?.containerStatuses?.[i];

describe("a node", () => {
  it("registers itself as ready, with the fields that kubectl shows", async () => {
    node = await startTestNode({ controlPlane: true, nodeIndex: 3 });
    const { metadata, spec, status } = await node.client.resource(nodes).get("node");
    expect(metadata?.labels).toMatchObject({
      "kubernetes.io/hostname": "node",
      "node-role.kubernetes.io/control-plane": "",
    });
    expect(spec?.podCIDR).toBe("10.244.3.0/24");
    expect(spec?.taints ?? []).toEqual([]);
    expect(status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toContain("Ready=True");
    expect(status?.nodeInfo).toMatchObject({
      kubeletVersion: `v${kubernetesVersion}`,
      osImage: "operator-path simulated node",
    });
    expect(status?.addresses).toContainEqual({ type: "InternalIP", address: "172.18.0.5" });
  });
});

describe("a Pod", () => {
  it("runs, becomes ready when its probe passes, and records the kubelet's Events", async () => {
    node = await startTestNode();
    await create(
      podOf("payment", [
        {
          image: "payment:1.0.0",
          ports: [{ name: "http", containerPort: 8080 }],
          readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
        },
      ]),
    );
    const pod = await until(getPod(node.client, "payment"), isReady);
    expect(pod.status).toMatchObject({
      phase: "Running",
      podIP: "10.244.0.2",
      hostIP: "172.18.0.2",
      qosClass: "BestEffort",
    });
    expect(pod.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(
      expect.arrayContaining([
        "PodReadyToStartContainers=True",
        "Initialized=True",
        "Ready=True",
        "ContainersReady=True",
        "PodScheduled=True",
      ]),
    );
    expect(status(pod)).toMatchObject({
      ready: true,
      started: true,
      restartCount: 0,
      image: "docker.io/library/payment:1.0.0",
    });
    expect(
      await until(
        () => eventsOf(node.client, "payment"),
        (all) => all.length === 3,
      ),
    ).toEqual([
      'Pulled: Container image "payment:1.0.0" already present on machine and can be accessed by the pod',
      "Created: Container created",
      "Started: Container started",
    ]);
  });

  it("runs its init containers in order before the others, and completes", async () => {
    node = await startTestNode();
    const volumeMounts = [{ name: "work", mountPath: "/work" }];
    await create(
      podOf("job", [{ image: "busybox", command: ["cat", "/work/log"], volumeMounts }], {
        restartPolicy: "Never",
        volumes: [{ name: "work", emptyDir: {} }],
        initContainers: ["one", "two"].map((name) => ({
          name,
          image: "busybox",
          command: ["sh", "-c", `echo ${name} >> /work/log`],
          volumeMounts,
        })),
      }),
    );
    const pod = await until(getPod(node.client, "job"), ({ status }) => status?.phase === "Succeeded");
    expect(status(pod)?.state?.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(await logOf("job")).toBe("one\ntwo\n");
  });

  it("with an unknown image reports it, and backs off", async () => {
    node = await startTestNode();
    await create(podOf("nope", [{ image: "registry.example.com/team/nope:1" }]));
    const pod = await until(
      getPod(node.client, "nope"),
      (pod) => status(pod)?.state?.waiting?.reason === "ImagePullBackOff",
    );
    expect(pod.status?.phase).toBe("Pending");
    const all = await until(
      () => eventsOf(node.client, "nope"),
      (seen) => seen.includes("Failed: Error: ImagePullBackOff"),
    );
    // A repeated Event increases the count of the first, so the order of the last writes means nothing.
    expect(all.sort()).toEqual(
      [
        'Pulling: Pulling image "registry.example.com/team/nope:1"',
        'Failed: Failed to pull image "registry.example.com/team/nope:1": rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/team/nope:1": failed to resolve reference "registry.example.com/team/nope:1": registry.example.com/team/nope:1: not found',
        "Failed: Error: ErrImagePull",
        'BackOff: Back-off pulling image "registry.example.com/team/nope:1"',
        "Failed: Error: ImagePullBackOff",
      ].sort(),
    );
    await expect(logOf("nope")).rejects.toThrow(
      'container "main" in pod "nope" is waiting to start: trying and failing to pull image',
    );
  });

  it("restarts at once after a crash, then after 10 s, then after 20 s", async () => {
    const clock = createFakeClock();
    node = await startTestNode({ clock });
    await create(
      podOf("crash", [
        { image: "busybox", imagePullPolicy: "IfNotPresent", command: ["sh", "-c", "echo out; exit 3"] },
      ]),
    );
    const pod = getPod(node.client, "crash");
    const step = () => clock.advance(250);
    const crashed = (restarts: number) => (pod: Pod) =>
      status(pod)?.restartCount === restarts && status(pod)?.state?.waiting?.reason === "CrashLoopBackOff";
    const [first, second, third] = [
      await until(pod, crashed(1), step),
      await until(pod, crashed(2), step),
      await until(pod, crashed(3), step),
    ].map((pod) => Date.parse(status(pod)?.lastState?.terminated?.finishedAt as string));
    // Times of the API are whole seconds.
    expect(((second as number) - (first as number)) / 1000).toBeGreaterThanOrEqual(9);
    expect(((third as number) - (second as number)) / 1000).toBeGreaterThanOrEqual(19);
    expect(status(await pod())?.lastState?.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
    expect((await pod()).status?.phase).toBe("Running");
  });

  it("restarts when its liveness probe fails", async () => {
    const clock = createFakeClock();
    node = await startTestNode({ clock });
    const livenessProbe = { httpGet: { path: "/nope", port: 8080 }, periodSeconds: 1, failureThreshold: 2 };
    await create(podOf("sick", [{ image: "payment:1.0.0", livenessProbe }]));
    await until(
      getPod(node.client, "sick"),
      (pod) => (status(pod)?.restartCount ?? 0) > 0,
      () => clock.advance(100),
    );
    const all = await until(
      () => eventsOf(node.client, "sick"),
      (seen) => seen.some((event) => event.startsWith("Killing")),
    );
    expect(all).toContain("Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 404");
    expect(all).toContain("Killing: Container main failed liveness probe, will be restarted");
  });

  it("gets its grace period on deletion, and is deleted when its processes have ended", async () => {
    const clock = createFakeClock();
    node = await startTestNode({ clock });
    await create(podOf("deaf", [{ image: "busybox", command: ["sleep", "infinity"] }]));
    await until(getPod(node.client, "deaf"), isReady, () => clock.advance(50));
    await node.client.resource(pods).namespace("default").delete("deaf", { gracePeriodSeconds: 5 });
    const deleted = clock.now();
    await until(
      () => getPod(node.client, "deaf")().catch((error: unknown) => isNotFound(error)),
      (pod) => pod === true,
      () => clock.advance(100),
    );
    expect(clock.now() - deleted).toBeGreaterThanOrEqual(5000);
    expect(await eventsOf(node.client, "deaf")).toContain("Killing: Stopping container main");
  });

  it("fails when its deadline has passed", async () => {
    const clock = createFakeClock();
    node = await startTestNode({ clock });
    await create(podOf("late", [{ image: "payment:1.0.0" }], { activeDeadlineSeconds: 20 }));
    await until(getPod(node.client, "late"), isReady);
    await clock.advance(19_000);
    expect((await getPod(node.client, "late")()).status?.phase).toBe("Running");
    const pod = await until(
      getPod(node.client, "late"),
      ({ status }) => status?.phase === "Failed",
      () => clock.advance(500),
    );
    expect(pod.status?.reason).toBe("DeadlineExceeded");
    expect(status(pod)?.state).toMatchObject({ terminated: { exitCode: 0 } });
  });

  it("with a hostPath gets an Event that says what to do", async () => {
    node = await startTestNode();
    await create(
      podOf("host", [{ image: "busybox" }], { volumes: [{ name: "etc", hostPath: { path: "/etc" } }] }),
    );
    const [event] = await until(
      () => eventsOf(node.client, "host"),
      (all) => all.length > 0,
    );
    expect(event).toBe(
      'FailedMount: MountVolume.SetUp failed for volume "etc" : hostPath is refused on a simulated node, which has no disk: use emptyDir, configMap, secret, downwardAPI, projected or a persistentVolumeClaim',
    );
    expect((await getPod(node.client, "host")()).status?.phase).toBe("Pending");
  });

  it("is not written when its status has not changed", async () => {
    node = await startTestNode();
    await create(
      podOf("quiet", [
        { image: "payment:1.0.0", readinessProbe: { httpGet: { path: "/readyz", port: 8080 } } },
      ]),
    );
    await until(getPod(node.client, "quiet"), isReady);
    const watched: string[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      const all = node.client
        .resource(pods)
        .namespace("default")
        .watch({ fieldSelector: "metadata.name=quiet", signal: stop.signal });
      for await (const { type } of all) watched.push(type);
    })().catch(() => {});
    await until(
      async () => watched,
      (seen) => seen.length > 0,
    );
    const label = (value: string) =>
      node.client
        .resource(pods)
        .namespace("default")
        .patch("quiet", { metadata: { labels: { value } } }, { type: "merge" });
    for (const value of ["1", "2", "3"]) await label(value);
    // Starting another Pod takes long enough for an unwanted write to appear.
    await create(podOf("other", [{ image: "busybox", command: ["sleep", "infinity"] }]));
    await until(getPod(node.client, "other"), isReady);
    stop.abort();
    await watching;
    expect(watched).toEqual(["ADDED", "MODIFIED", "MODIFIED", "MODIFIED"]);
  });

  it("logs when its worker fails, and gets a new worker at its next change", async () => {
    const logged: string[] = [];
    let broken = false;
    node = await startTestNode({
      random: () => {
        if (broken) throw new Error("out of entropy");
        return Math.random();
      },
      log(message) {
        logged.push(message);
        if (logged.length === 1) throw new Error("log is full");
      },
    });
    broken = true;
    const pod = await create(podOf("payment", [{ image: "busybox", command: ["sleep", "infinity"] }]));
    await until(
      async () => logged,
      (lines) => lines.length > 1,
    );
    broken = false;
    expect(logged.slice(0, 2)).toEqual([
      "pod default/payment: out of entropy",
      "pod default/payment: its worker failed: Error: log is full",
    ]);
    await node.client
      .resource(pods)
      .namespace("default")
      .patch("payment", { metadata: { uid: pod.metadata?.uid, labels: { a: "b" } } }, { type: "merge" });
    await until(getPod(node.client, "payment"), isReady);
  });

  it("starts again after a restart of its node, and counts the restart", async () => {
    node = await startTestNode();
    await create(podOf("payment", [{ image: "payment:1.0.0" }]));
    const before = await until(getPod(node.client, "payment"), isReady);
    await node.restart();
    const after = await until(
      getPod(node.client, "payment"),
      (pod) => status(pod)?.restartCount === 1 && isReady(pod),
    );
    expect(status(after)?.lastState?.terminated).toMatchObject({
      reason: "Unknown",
      containerID: status(before)?.containerID,
    });
    expect(status(after)?.containerID).not.toBe(status(before)?.containerID);
    expect(after.status?.podIPs).toHaveLength(1);
    expect(node.logged).toEqual([]);
  });
});

it("leaves no timer behind when it stops, in any state of its Pods", async () => {
  const clock = createFakeClock();
  node = await startTestNode({ clock });
  const probe = { tcpSocket: { port: 8080 }, periodSeconds: 3 };
  await create(podOf("probed", [{ image: "payment:1.0.0", readinessProbe: probe, livenessProbe: probe }]));
  await create(
    podOf("nope", [
      { image: "nosuch" },
      { image: "busybox", command: ["false"] },
      { image: "busybox", command: ["sleep", "infinity"] },
    ]),
  );
  await until(
    getPod(node.client, "nope"),
    (pod) =>
      status(pod)?.state?.waiting?.reason === "ImagePullBackOff" &&
      status(pod, 1)?.state?.waiting?.reason === "CrashLoopBackOff",
    () => clock.advance(100),
  );
  await node.client.resource(pods).namespace("default").delete("probed", {});
  await node.kubelet.stop();
  expect(clock.pending()).toBe(0);
});

describe("an ephemeral container", () => {
  const add = (name: string, container: object) =>
    node.client
      .resource(pods)
      .namespace("default")
      .patch(
        "payment",
        { spec: { ephemeralContainers: [{ name, image: "busybox", ...container }] } },
        { type: "strategic", subresource: "ephemeralcontainers" },
      );
  const ephemeral = (pod: Pod, name: string) =>
    pod.status?.ephemeralContainerStatuses?.find((entry) => entry.name === name);

  it("starts once in a running Pod; a shell without stdin ends, and one with stdin waits", async () => {
    node = await startTestNode();
    await create(podOf("payment", [{ image: "payment:1.0.0" }]));
    await until(getPod(node.client, "payment"), isReady);
    await add("blind", { command: ["sh"] });
    await add("shell", { command: ["sh"], stdin: true, tty: true, targetContainerName: "main" });
    const pod = await until(
      getPod(node.client, "payment"),
      (pod) =>
        ephemeral(pod, "shell")?.state?.running !== undefined &&
        ephemeral(pod, "blind")?.state?.terminated !== undefined,
    );
    expect(ephemeral(pod, "blind")?.state?.terminated).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(status(pod)).toMatchObject({ ready: true, restartCount: 0 });
    const { items } = await node.client.resource(pods).namespace("default").list();
    expect(items).toHaveLength(1);
    await add("later", { command: ["true"] });
    const later = await until(
      getPod(node.client, "payment"),
      (pod) => ephemeral(pod, "later")?.state?.terminated !== undefined,
    );
    expect(ephemeral(later, "blind")).toMatchObject({
      restartCount: 0,
      containerID: ephemeral(pod, "blind")?.containerID,
    });
  });
});

async function logOf(pod: string): Promise<string> {
  let text = "";
  const request = { namespace: "default", pod, container: "main", signal: AbortSignal.timeout(5000) };
  for await (const chunk of node.kubelet.connection.logs(request)) text += Buffer.from(chunk).toString();
  return text;
}
