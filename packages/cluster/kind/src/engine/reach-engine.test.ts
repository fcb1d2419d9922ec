import { expect, it } from "vitest";
import { formatWayOut, reachEngine, surroundingsOf, type Unreached } from "./reach-engine.ts";

const down: Unreached = {
  engine: "docker",
  on: "linux",
  denied: false,
  says: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
  env: {},
};
const at = (socket: string) => down.says.replace("/var/run/docker.sock", socket);

it.each<[string, Partial<Unreached>, string]>([
  ["docker", {}, "sudo systemctl start docker"],
  ["docker in WSL, which may have no systemd", { on: "wsl" }, "sudo service docker start"],
  ["docker on macOS", { on: "macos" }, "open -a Docker"],
  ["rootless docker", { says: at("/run/user/1000/docker.sock") }, "systemctl --user start docker"],
  [
    "Docker Desktop on Linux",
    { says: at("/home/a/.docker/desktop/docker.sock") },
    "systemctl --user start docker-desktop",
  ],
  ["colima", { on: "macos", says: at("/Users/a/.colima/default/docker.sock") }, "colima start"],
  ["podman", { engine: "podman", says: "" }, "podman info"],
  ["podman on macOS", { engine: "podman", on: "macos", says: "" }, "podman machine start"],
  [
    "nerdctl of root",
    { engine: "nerdctl", says: "cannot access containerd socket" },
    "sudo systemctl start containerd",
  ],
  [
    "nerdctl without root",
    { engine: "nerdctl", says: "rootless containerd not running?" },
    "systemctl --user start containerd",
  ],
  ["nerdctl on macOS", { engine: "nerdctl", on: "macos", says: "" }, "limactl start"],
])("starts %s", (_what, changes, command) => {
  expect(reachEngine({ ...down, ...changes }).commands).toEqual([command]);
});

it.each<[string, Partial<Unreached>, string]>([
  ["docker", {}, "sudo usermod -aG docker $USER"],
  ["docker in WSL", { on: "wsl" }, "sudo usermod -aG docker $USER"],
  [
    "docker whose socket DOCKER_HOST names",
    { env: { DOCKER_HOST: "unix:///var/run/docker.sock" } },
    "sudo usermod -aG docker $USER",
  ],
  ["docker on macOS, which has no such group", { on: "macos" }, "docker context use desktop-linux"],
  ["podman, which has no group", { engine: "podman" }, "podman info"],
  ["nerdctl, which has no group", { engine: "nerdctl" }, "containerd-rootless-setuptool.sh install"],
])("gets access by %s", (_what, changes, command) => {
  expect(reachEngine({ ...down, denied: true, ...changes }).commands).toEqual([command]);
});

it("reports a host that a variable names", () => {
  expect(reachEngine({ ...down, env: { DOCKER_HOST: "tcp://10.1.1.1:2375" } })).toEqual({
    commands: ["unset DOCKER_HOST"],
    words: ["Or start the program that should listen at tcp://10.1.1.1:2375."],
  });
  expect(reachEngine({ ...down, env: { DOCKER_HOST: "unix:///run/user/1000/docker.sock" } })).toEqual({
    commands: ["systemctl --user start docker"],
    words: ["Or unset DOCKER_HOST, which is unix:///run/user/1000/docker.sock."],
  });
  const podman = { ...down, engine: "podman", env: { CONTAINER_HOST: "ssh://core@vm" } } as const;
  expect(reachEngine(podman).commands).toEqual(["unset CONTAINER_HOST"]);
  // Another engine's variable, and an empty one, have no effect.
  expect(reachEngine({ ...podman, env: { DOCKER_HOST: "tcp://a:1", CONTAINER_HOST: "" } }).commands).toEqual([
    "podman info",
  ]);
});

it("is also a line of text", () => {
  expect(formatWayOut({ commands: ["a", "b"], words: ["Then c."], manual: "https://d" })).toBe(
    "`a`, then `b`. Then c. https://d",
  );
  expect(formatWayOut({ commands: [], words: ["Start it."] })).toBe("Start it.");
});

it.each([
  ["darwin", "25.0.0", "macos"],
  ["win32", "10.0.26100", "windows"],
  ["linux", "6.12.0-amd64", "linux"],
  ["linux", "5.15.167.4-microsoft-standard-WSL2", "wsl"],
] as const)("recognizes %s %s", (platform, kernel, surroundings) => {
  expect(surroundingsOf(platform, kernel)).toBe(surroundings);
});
