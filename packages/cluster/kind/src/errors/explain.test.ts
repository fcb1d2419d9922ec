import { expect, it } from "vitest";
import { failureTexts } from "../testing/failure-texts.ts";
import { explain } from "./explain.ts";

const context = {
  platform: "linux",
  engine: "docker",
  env: { HTTPS_PROXY: "http://user:secret@proxy.example:3128" },
} as const;

it.each(failureTexts)("$problem: $cause", ({ says, problem, cause, fix, engine = "docker" }) => {
  const found = explain(says, { ...context, engine });
  expect(found).toMatchObject({ problem });
  expect(found.cause).toContain(cause);
  expect(found.fix).toContain(fix);
  expect(JSON.stringify(found)).not.toContain("secret");
});

it("ignores terminal colours", () => {
  expect(explain('\u001b[31mERROR\u001b[0m: unknown cluster "dev"', context)).toMatchObject({
    problem: "no-cluster",
  });
});

it("returns an unknown failure in kind's own words", () => {
  expect(explain("Creating…\nERROR: failed to frobnicate\n\nCommand Output: flux\n", context)).toMatchObject({
    problem: "unknown",
    cause: "failed to frobnicate",
  });
  expect(explain("", context)).toMatchObject({ problem: "unknown", cause: "the command printed nothing" });
});

it("trusts only resource limits in a node's log", () => {
  const passing = [
    "Failed to watch directory: inotify_add_watch /sys/fs/cgroup/x: no such file or directory",
    "kube-proxy error, dial tcp 10.0.0.1:6443: connect: connection refused",
    'image "x": not found',
  ];
  expect(explain(passing.join("\n"), context, ["inotify", "disk-full", "proxy"])).toMatchObject({
    problem: "unknown",
  });
});

it("tells how to start the engine on the current system", () => {
  const down = "Is the docker daemon running?";
  expect(explain(down, { ...context, platform: "darwin" }).fix).toContain("open -a Docker");
  expect(explain(down, { ...context, engine: "podman", platform: "darwin" }).fix).toContain(
    "podman machine start",
  );
  expect(explain(down, { ...context, env: { DOCKER_HOST: "tcp://10.1.1.1:2375" } })).toMatchObject({
    cause: "docker is installed but not running: nothing answers at tcp://10.1.1.1:2375",
    fix: "`unset DOCKER_HOST`. Or start the program that should listen at tcp://10.1.1.1:2375.",
  });
});
