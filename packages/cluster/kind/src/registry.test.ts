import { afterEach, beforeEach, expect, it } from "vitest";
import { createCluster } from "./create-cluster.ts";
import { deleteCluster } from "./delete-cluster.ts";
import { hostsFiles, startRegistry, stopRegistry } from "./registry.ts";
import { type StandIns, standIns } from "./testing/stand-ins.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
});
afterEach(() => machine[Symbol.asyncDispose]());

/**
 * An engine whose `run` and `inspect` support registries. `fail` contains the output of `run`, `broken` that
 * of `inspect`.
 */
const docker = `
is() { echo "[{\\"State\\":{\\"Running\\":$1},\\"HostConfig\\":{\\"PortBindings\\":{\\"5000/tcp\\":[{\\"HostPort\\":\\"5001\\"}]}},\\"Config\\":{\\"Labels\\":{\\"operator-path.kind\\":\\"registry\\"}}}]"; }
case "$1" in
  info) echo '{"ServerVersion":"29.0.0"}' ;;
  run) [ -e "$STAND_IN/fail" ] && { is false > "$state/kind-registry"; cat "$STAND_IN/fail" >&2; exit 125; }
       is true > "$state/kind-registry" ;;
  container) [ -e "$STAND_IN/broken" ] && { cat "$STAND_IN/broken" >&2; exit 1; }
       [ -e "$state/kind-registry" ] || { echo "Error: No such container: kind-registry" >&2; exit 1; }
       cat "$state/kind-registry" ;;
  inspect) echo '{"bridge":{}}' ;;
  rm) rm -f "$state/kind-registry" "$state"/dev-* ;;
  ps) case "$4" in *=dev) ls "$state" | grep dev ;; esac; true ;;
  network) true ;;
  exec) [ "$2" = --interactive ] && { echo "to $3: $8" >> "$STAND_IN/written"; cat >> "$STAND_IN/written"; }; true ;;
esac
`;

it("is started once, and removed with its contents", async () => {
  await machine.put("docker", docker);
  const { env } = machine;
  expect(await startRegistry({ env })).toEqual({
    name: "kind-registry",
    port: 5001,
    host: "localhost:5001",
    started: true,
  });
  expect(await startRegistry({ env })).toMatchObject({ started: false });
  expect((await machine.calls()).filter((call) => call.startsWith("docker run"))).toEqual([
    "docker run --detach --restart always --publish 127.0.0.1:5001:5000 --label operator-path.kind=registry --name kind-registry docker.io/library/registry:3",
  ]);
  await expect(startRegistry({ env, port: 5002 })).rejects.toMatchObject({ problem: "name-exists" });
  expect(await stopRegistry({ env })).toBe(true);
  expect(await stopRegistry({ env })).toBe(false);
});

it("uses a foreign registry, and never removes it", async () => {
  await machine.put("docker", docker);
  const { env } = machine;
  const theirs = (running: boolean) =>
    `[{"State":{"Running":${running}},"HostConfig":{"PortBindings":{"5000/tcp":[{"HostPort":"5001"}]}},"Config":{"Labels":null}}]`;
  await machine.write("containers/kind-registry", theirs(true));
  expect(await startRegistry({ env })).toMatchObject({ started: false });
  expect(await stopRegistry({ env })).toBe(false);
  expect(await machine.containers()).toEqual(["kind-registry"]);
});

it("does not take a failing engine for a missing registry, and removes nothing", async () => {
  await machine.put("docker", docker);
  const { env } = machine;
  await startRegistry({ env });
  await machine.write("broken", "Error response from daemon: a hiccup");
  await expect(startRegistry({ env })).rejects.toMatchObject({ problem: "unknown" });
  await expect(stopRegistry({ env })).rejects.toMatchObject({ problem: "unknown" });
  expect(await machine.containers()).toEqual(["kind-registry"]);
});

it("takes its image from the environment, on a machine that pulls none", async () => {
  await machine.put("docker", docker);
  await startRegistry({ env: { ...machine.env, KIND_REGISTRY_IMAGE: "mine/registry" } });
  expect((await machine.calls()).at(-1)).toMatch(/ mine\/registry$/);
});

it("leaves no container if its port is taken", async () => {
  await machine.put("docker", docker);
  await machine.write(
    "fail",
    "docker: Error response from daemon: Bind for 127.0.0.1:5001 failed: port is already allocated.",
  );
  await expect(startRegistry({ env: machine.env })).rejects.toMatchObject({
    problem: "port-taken",
    cause: "port 5001 on this machine is already in use",
  });
  expect(await machine.containers()).toEqual([]);
});

it("is connected to every node of a cluster created with it, and removed if the creation fails", async () => {
  await machine.put("docker", docker);
  const { env } = machine;
  await createCluster({ env, name: "dev", registry: { mirrorOf: ["docker.io"] } });
  const written = await machine.read("written");
  for (const node of ["dev-control-plane", "dev-worker"]) {
    expect(written).toContain(
      `to ${node}: /etc/containerd/certs.d/localhost:5001/hosts.toml\n[host."http://kind-registry:5000"]`,
    );
    expect(written).toContain(`to ${node}: /etc/containerd/certs.d/docker.io/hosts.toml\nserver = `);
  }
  expect(written).toContain('"name":"local-registry-hosting"');
  expect(await machine.calls()).toContain("docker network connect kind kind-registry");
  await stopRegistry({ env });
  await deleteCluster({ env, name: "dev" });

  await machine.put("kind", '[ "$1" = --version ] && echo "kind version 0.33.0" && exit\nexit 1\n');
  const failing = createCluster({ env, name: "dev", registry: {} });
  await expect(failing).rejects.toMatchObject({ problem: "unknown" });
  expect(await machine.containers()).not.toContain("kind-registry");
});

it("redirects a node to the registry for its local name, and for mirrored registries", () => {
  expect(hostsFiles({ name: "kind-registry", port: 5001, mirrorOf: ["docker.io", "gcr.io"] })).toEqual([
    {
      path: "/etc/containerd/certs.d/localhost:5001/hosts.toml",
      content: '[host."http://kind-registry:5000"]\n',
    },
    {
      path: "/etc/containerd/certs.d/docker.io/hosts.toml",
      content:
        'server = "https://registry-1.docker.io"\n\n[host."http://kind-registry:5000"]\n  capabilities = ["pull", "resolve"]\n',
    },
    {
      path: "/etc/containerd/certs.d/gcr.io/hosts.toml",
      content:
        'server = "https://gcr.io"\n\n[host."http://kind-registry:5000"]\n  capabilities = ["pull", "resolve"]\n',
    },
  ]);
});
