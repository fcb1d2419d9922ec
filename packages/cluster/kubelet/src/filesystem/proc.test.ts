import { describe, expect, it } from "vitest";
import type { ContainerSpec } from "../pod/types.ts";
import { createTestPod, run } from "../testing/container.ts";

const tool = (spec: Partial<ContainerSpec> & { targetContainerName?: string } = {}) => ({
  name: "tool",
  image: "busybox:1.36",
  command: ["sleep", "infinity"],
  ...spec,
});

async function paymentAnd(
  spec: Parameters<typeof tool>[0],
  options: Parameters<typeof createTestPod>[0] = {},
) {
  const pod = createTestPod(options);
  await pod.start({ name: "payment", image: "payment:1.0.0" });
  return pod.start(tool(spec));
}

describe("ps", () => {
  it("shows the target's processes to a container that targets it", async () => {
    const box = await paymentAnd({ targetContainerName: "payment" });
    expect((await run(box, ["ps"])).stdout).toBe(
      "PID   USER     TIME  COMMAND\n    1 1000      0:00 /nodejs/bin/node /app/server.js\n    2 root      0:00 sleep infinity\n    3 root      0:00 ps\n",
    );
  });

  it("shows only its own to one that does not", async () => {
    const box = await paymentAnd({});
    expect((await run(box, ["ps"])).stdout).not.toContain("payment");
  });

  it("shows all of a Pod with a shared process namespace", async () => {
    const box = await paymentAnd({}, { shareProcessNamespace: true });
    expect((await run(box, ["ps"])).stdout).toContain("/nodejs/bin/node /app/server.js");
  });
});

describe("/proc/1/root", () => {
  const target = { targetContainerName: "payment" };

  it("is closed to root without SYS_PTRACE when the target runs as another user", async () => {
    const box = await paymentAnd(target);
    expect(await run(box, ["ls", "/proc/1/root"])).toMatchObject({
      exitCode: 1,
      stderr: "ls: /proc/1/root: Permission denied\n",
    });
    expect(await run(box, ["ls", "/proc/1/root/"])).toMatchObject({
      exitCode: 1,
      stderr: "ls: /proc/1/root/: Permission denied\n",
    });
    expect((await run(box, ["cat", "/proc/1/root/app/server.js"])).stderr).toBe(
      "cat: /proc/1/root/app/server.js: Permission denied\n",
    );
    expect((await run(box, ["sh", "-c", "cd /proc/1/root"])).stderr).toContain("Permission denied");
  });

  it.each([
    ["with CAP_SYS_PTRACE", { securityContext: { capabilities: { add: ["SYS_PTRACE"] } } }],
    ["to a privileged container", { securityContext: { privileged: true } }],
    ["to the same user", { securityContext: { runAsUser: 1000 } }],
  ])("is open %s", async (_, spec) => {
    const box = await paymentAnd({ ...target, ...spec });
    expect((await run(box, ["ls", "/proc/1/root/app"])).stdout).toBe("package.json\nserver.js\n");
    expect((await run(box, ["sh", "-c", "cd /proc/1/root/app && cat package.json"])).stdout).toContain(
      '"payment"',
    );
  });

  it("is closed to another user even with SYS_PTRACE, because only root keeps capabilities", async () => {
    const box = await paymentAnd({
      ...target,
      securityContext: { runAsUser: 2000, capabilities: { add: ["SYS_PTRACE"] } },
    });
    expect((await run(box, ["ls", "/proc/1/root"])).stderr).toContain("Permission denied");
  });

  it("leads to the container's own files for a process of the same container", async () => {
    const box = await paymentAnd({});
    expect((await run(box, ["ls", "/proc/1/root/bin/ls"])).stdout).toBe("/proc/1/root/bin/ls\n");
  });
});

it("shares an emptyDir between containers, and nothing else", async () => {
  const pod = createTestPod();
  const volumeMounts = [{ name: "work", mountPath: "/work" }];
  const one = await pod.start(tool({ name: "one", volumeMounts }));
  const two = await pod.start(tool({ name: "two", volumeMounts }));
  await run(one, ["sh", "-c", "echo hello > /work/x; echo private > /tmp/x"]);
  expect((await run(two, ["cat", "/work/x"])).stdout).toBe("hello\n");
  expect((await run(two, ["cat", "/tmp/x"])).exitCode).toBe(1);
});

it("rejects writes to a read-only root file system, but not to its volumes", async () => {
  const pod = createTestPod();
  const box = await pod.start(
    tool({
      securityContext: { readOnlyRootFilesystem: true },
      volumeMounts: [{ name: "work", mountPath: "/work" }],
    }),
  );
  expect((await run(box, ["sh", "-c", "echo a > /etc/x"])).stderr).toBe(
    "sh: can't create /etc/x: Read-only file system\n",
  );
  expect((await run(box, ["sh", "-c", "echo a > /work/x && cat /work/x"])).stdout).toBe("a\n");
});
