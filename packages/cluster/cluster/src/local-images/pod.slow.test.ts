import { once } from "node:events";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImageBench, serverProject, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
  await bench.image("server:1", serverProject);
});
afterAll(async () => {
  await bench?.stop();
  expect(bench?.failures).toEqual([]);
});

/** Returns a Pod of the server, with changes to its specification. */
function pod(name: string, container: object = {}, spec: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [{ name: "main", image: "server:1", ...container }],
      ...spec,
    },
  };
}
const ready = (name: string) => bench.ok(`wait --for=condition=Ready pod/${name} --timeout=50s`);

describe("a container that is a process", () => {
  it("has its arguments, name, user and files, and nothing of this machine's environment", async () => {
    process.env.OPERATOR_PATH_TEST_SECRET = "leak";
    await bench.apply(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "settings" },
        data: { colour: "blue", "a.txt": "A" },
      },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "keys" }, stringData: { key: "s3cret" } },
      pod(
        "whole",
        {
          args: ["server.mjs", "$(COLOUR)", "two words"],
          readinessProbe: { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 1 },
          envFrom: [{ configMapRef: { name: "settings" }, prefix: "CM_" }],
          env: [
            { name: "COLOUR", valueFrom: { configMapKeyRef: { name: "settings", key: "colour" } } },
            { name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "key" } } },
            { name: "ME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
            {
              name: "MEMORY",
              valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } },
            },
          ],
          resources: { limits: { memory: "128Mi" } },
          volumeMounts: [
            { name: "config", mountPath: "/etc/settings" },
            { name: "keys", mountPath: "/etc/keys", readOnly: true },
            { name: "info", mountPath: "/etc/info" },
            { name: "scratch", mountPath: "/scratch" },
            { name: "config", mountPath: "/etc/one.txt", subPath: "a.txt" },
          ],
        },
        {
          volumes: [
            { name: "config", configMap: { name: "settings" } },
            { name: "keys", secret: { secretName: "keys" } },
            {
              name: "info",
              downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] },
            },
            { name: "scratch", emptyDir: {} },
          ],
        },
      ),
    );
    await ready("whole");
    expect(await bench.logs("whole")).toMatch(
      /^started {"args":\["blue","two words"\],"hostname":"whole","pid":1,"uid":1000}\nlistening {"address":"::","family":"IPv6","port":8080}\n/,
    );
    const env = JSON.parse(await bench.get("whole", "/env"));
    const ip = await bench.field("whole", ".status.podIP");
    const links = /^KUBERNETES_/;
    expect(Object.fromEntries(Object.entries(env).filter(([name]) => !links.test(name)))).toEqual({
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOSTNAME: "whole",
      HOME: "/",
      FROM_IMAGE: "yes",
      CM_colour: "blue",
      "CM_a.txt": "A",
      COLOUR: "blue",
      KEY: "s3cret",
      ME: "whole",
      IP: ip,
      MEMORY: "128",
      OPERATOR_PATH_ROOT: expect.any(String),
    });
    // Three quarters of 128 Mi are for the heap.
    expect(await bench.get("whole", "/heap")).toBe("96");
    const read = (path: string) => bench.get("whole", `/read?path=${path}`);
    expect(await read("/etc/settings/colour")).toBe("blue");
    expect(await read("/etc/keys/key")).toBe("s3cret");
    expect(await read("/etc/info/labels")).toBe('app="whole"');
    expect(await read("/etc/one.txt")).toBe("A");
    expect(await read("/etc/hostname")).toBe("whole\n");
    expect(await read("/var/run/secrets/kubernetes.io/serviceaccount/namespace")).toBe("default");
    expect(await read("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")).toContain("BEGIN CERTIFICATE");
    expect(await bench.get("whole", "/list?path=/app")).toBe("server.mjs");
    expect(await bench.get("whole", "/write?path=/scratch/x&text=1")).toBe("ok");
    expect(await read("/scratch/x")).toBe("1");
    expect(await bench.get("whole", "/write?path=/etc/keys/key&text=1")).toContain("error EROFS");
  });

  it("reaches the API as its ServiceAccount", async () => {
    await bench.apply(
      pod(
        "caller",
        {
          command: [
            "/nodejs/bin/node",
            "-e",
            `const dir = "/var/run/secrets/kubernetes.io/serviceaccount/";
           require("https").get({ host: process.env.KUBERNETES_SERVICE_HOST, port: process.env.KUBERNETES_SERVICE_PORT,
             path: "/apis/authentication.k8s.io", ca: fs.readFileSync(dir + "ca.crt"),
             headers: { authorization: "Bearer " + fs.readFileSync(dir + "token", "utf8") } },
             (r) => { console.log(r.statusCode); r.resume(); })`,
          ],
        },
        { restartPolicy: "Never" },
      ),
    );
    await bench.ok("wait --for=jsonpath={.status.phase}=Succeeded pod/caller --timeout=50s");
    expect(await bench.logs("caller")).toBe("200\n");
  });

  it("keeps to its own files, whatever the request", async () => {
    await bench.apply(
      pod("fenced", {
        securityContext: { readOnlyRootFilesystem: true },
        readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
      }),
    );
    await ready("fenced");
    const get = (path: string) => bench.get("fenced", path);
    expect(await get("/read?path=/etc/passwd")).toContain("nonroot:x:65532");
    expect(await get("/read?path=/opt/nothing")).toContain(
      "error ENOENT ENOENT: no such file or directory, open '/opt/nothing'",
    );
    expect(await get("/read?path=/proc/self/environ")).toContain("error ERR_ACCESS_DENIED");
    const up = "../".repeat(20);
    expect(await get(`/read?path=/proc/self/cwd/${up}etc/passwd`)).toContain("nonroot:x:65532");
    expect(await get(`/read?path=/${up}etc/passwd`)).toContain("nonroot:x:65532");
    expect(await get("/write?path=/app/x&text=1")).toBe("error EROFS EROFS: read-only file system, '/app/x'");
    expect(await get("/write?path=/tmp/x&text=1")).toContain("error EROFS");
    expect(await get("/spawn")).toContain("error ERR_ACCESS_DENIED");
    expect(await get(`/kill?pid=${process.pid}`)).toContain("error ESRCH");
    expect(await get("/kill?pid=1")).toBe("ok");
  });

  it.each([
    [
      "hostpath",
      {},
      { volumes: [{ name: "v", hostPath: { path: "/etc" } }] },
      /FailedMount:.*hostPath is refused/,
    ],
    ["hostnet", {}, { hostNetwork: true }, /Failed:Error: hostNetwork is refused/],
    ["hostpid", {}, { hostPID: true }, /Failed:Error: hostPID is refused/],
    [
      "privileged",
      { securityContext: { privileged: true } },
      {},
      /Failed:Error: securityContext.privileged is refused/,
    ],
    [
      "asroot",
      { securityContext: { runAsUser: 0, runAsNonRoot: true } },
      {},
      /Failed:Error: container's runAsUser breaks non-root policy/,
    ],
  ])("is not started with %s, and an Event reports it", async (name, container, spec, event) => {
    await bench.apply(pod(name, container, spec));
    await until(async () => event.test(await bench.events(name)));
    expect(await bench.field(name, ".status.containerStatuses[0].state.running")).toBe("");
    await bench.ok(`delete pod ${name} --now`);
  });
});

describe("the life of a process Pod", () => {
  it("ends with SIGTERM, which its log shows, and its logs can be followed to the end", async () => {
    await bench.apply(pod("graceful", {}, { terminationGracePeriodSeconds: 60 }));
    await ready("graceful");
    const { path } = await findTool("kubectl");
    const following = execa(path, ["logs", "-f", "graceful"], { env: { KUBECONFIG: bench.kubeconfigPath } });
    await once(following.stdout, "data");
    await bench.ok("delete pod graceful");
    expect((await following).stdout).toMatch(/SIGTERM: closing$/);
  });

  it("continues after a SIGTERM without a handler, as the first process of a container, and is killed later", async () => {
    await bench.apply(
      pod("deaf", {
        args: ["-e", "setInterval(() => {}, 1000); console.log('up')"],
        livenessProbe: {
          exec: { command: ["/nodejs/bin/node", "-e", "process.exit(1)"] },
          periodSeconds: 1,
          failureThreshold: 1,
          terminationGracePeriodSeconds: 1,
        },
      }),
    );
    const lastExit = () => bench.field("deaf", ".status.containerStatuses[0].lastState.terminated.exitCode");
    await until(async () => (await lastExit()) !== "");
    expect(await lastExit()).toBe("137");
    await bench.ok("delete pod deaf --now");
  });

  it("restarts with backoff, and shows the previous run", async () => {
    await bench.apply(pod("crashing", { args: ["-e", "console.log('run'); process.exit(7)"] }));
    await until(async () => (await bench.ok("get pod crashing")).includes("CrashLoopBackOff"));
    expect(await bench.field("crashing", ".status.containerStatuses[0].lastState.terminated.exitCode")).toBe(
      "7",
    );
    expect(await bench.ok("logs crashing --previous")).toBe("run\n");
    expect(await bench.events("crashing")).toContain(
      "BackOff:Back-off restarting failed container main in pod crashing_default",
    );
    await bench.ok("delete pod crashing --now");
  });

  it("runs init containers first, a sidecar beside it, and shares an emptyDir with them and with simulated containers", async () => {
    const volumeMounts = [{ name: "shared", mountPath: "/shared" }];
    await bench.apply(
      pod(
        "several",
        { volumeMounts },
        {
          volumes: [{ name: "shared", emptyDir: {} }],
          initContainers: [
            {
              name: "first",
              image: "server:1",
              args: ["-e", "fs.writeFileSync('/shared/first', 'from first'); console.log('init')"],
              volumeMounts,
            },
            {
              name: "side",
              image: "server:1",
              restartPolicy: "Always",
              env: [{ name: "PORT", value: "9090" }],
              volumeMounts,
            },
          ],
          containers: [
            { name: "main", image: "server:1", volumeMounts },
            { name: "box", image: "busybox", command: ["sleep", "1000"], volumeMounts },
          ],
        },
      ),
    );
    await ready("several");
    expect(await bench.get("several", "/read?path=/shared/first")).toBe("from first");
    expect(await bench.ok("exec several -c box -- cat /shared/first")).toBe("from first");
    await bench.ok("exec several -c box -- sh -c 'echo box > /shared/box'");
    expect(await bench.get("several", "/read?path=/shared/box")).toBe("box\n");
    expect(await bench.ok("exec several -c box -- wget -qO- http://localhost:9090/")).toBe(
      "hello from several",
    );
    expect(await bench.get("several", "/fetch?url=http://localhost:9090/")).toBe("200 hello from several");
    // kubectl requests them in no particular order.
    const logs = await bench.ok("logs several --all-containers");
    for (const part of ["init\n", '"port":9090', '"port":8080']) expect(logs).toContain(part);
    await bench.ok("delete pod several --now");
  });

  it("is restarted when its liveness probe fails", async () => {
    const httpGet = { path: "/healthz", port: 8080 };
    await bench.apply(
      pod("ill", {
        // Until Node listens, and while it has no processor, probes fail as well.
        startupProbe: { httpGet, periodSeconds: 1, timeoutSeconds: 30, failureThreshold: 120 },
        livenessProbe: { httpGet, periodSeconds: 1, timeoutSeconds: 30, failureThreshold: 1 },
      }),
    );
    await ready("ill");
    await bench.get("ill", "/sicken");
    await until(async () => (await bench.field("ill", ".status.containerStatuses[0].restartCount")) === "1");
    expect(await bench.events("ill")).toContain(
      "Killing:Container main failed liveness probe, will be restarted",
    );
    await bench.ok("delete pod ill --now");
  });

  it("answers exec probes with its own Node, and has no shell", async () => {
    await bench.apply(
      pod("probed", {
        readinessProbe: {
          exec: { command: ["/nodejs/bin/node", "-e", "fs.accessSync('/tmp/ready')"] },
          periodSeconds: 1,
        },
      }),
    );
    await until(async () => (await bench.events("probed")).includes("Unhealthy:Readiness probe failed:"));
    await bench.get("probed", "/write?path=/tmp/ready&text=1");
    await ready("probed");
    expect(await bench.refused("exec probed -- sh")).toContain(
      'exec: "sh": executable file not found in $PATH',
    );
    expect(await bench.ok("exec probed -- /nodejs/bin/node -p 'process.pid>1&&process.env.HOSTNAME'")).toBe(
      "probed\n",
    );
    await bench.ok("debug probed --image=busybox --target=main -c tool -- sleep 1000");
    await until(
      async () => (await bench.field("probed", ".status.ephemeralContainerStatuses[0].state.running")) !== "",
    );
    expect(await bench.ok("exec probed -c tool -- ps")).toMatch(/1 1000\s.*\/nodejs\/bin\/node server\.mjs/);
    await bench.ok("delete pod probed --now");
  });
});

describe("its neighbours in the Pod", () => {
  it("see its process and its files, as far as the kernel's rules let them", async () => {
    const spec = {
      shareProcessNamespace: true,
      containers: [
        { name: "main", image: "server:1", securityContext: { runAsUser: 1000, runAsGroup: 1000 } },
        {
          name: "same",
          image: "busybox",
          command: ["sleep", "1000"],
          securityContext: { runAsUser: 1000, runAsGroup: 1000 },
        },
        { name: "root", image: "busybox", command: ["sleep", "1000"] },
      ],
    };
    await bench.apply(pod("neighbours", {}, spec));
    await ready("neighbours");
    await bench.get("neighbours", "/write?path=/tmp/note&text=written");
    const same = (command: string) => bench.ok(`exec neighbours -c same -- ${command}`);
    const pid = /^ *(\d+) 1000 .*node server\.mjs$/m.exec(await same("ps"))?.[1];
    const root = ["/proc", pid, "root"].join("/");
    expect(await same(`ls ${root}`)).toMatch(/^app\netc\n/);
    expect(await same(`cat ${root}/tmp/note`)).toBe("written");
    expect(await same(`cat ${root}/var/run/secrets/kubernetes.io/serviceaccount/namespace`)).toBe("default");
    const { stderr } = await bench.run(`exec neighbours -c root -- ls ${root}`);
    expect(stderr).toContain("Permission denied");
    await bench.ok("delete pod neighbours --now");
  });
});

describe("several replicas", () => {
  it("listen on the same port, each for itself, behind one Service", async () => {
    await bench.ok("create deployment many --image=server:1 --replicas=3 --port=8080");
    await bench.ok("expose deployment many --port=80 --target-port=8080");
    await bench.ok("rollout status deployment many --timeout=50s");
    await until(
      async () =>
        (
          await bench.ok(
            "get endpointslices -l kubernetes.io/service-name=many -o jsonpath={.items[*].endpoints[*].addresses[0]}",
          )
        ).split(" ").length === 3,
    );
    const names = (await bench.ok("get pods -l app=many -o jsonpath={.items[*].metadata.name}")).split(" ");
    for (const name of names) expect(await bench.get(name, "/")).toBe(`hello from ${name}`);
    const seen = new Set<string>();
    await until(async () => {
      seen.add(await bench.ok("exec client -- wget -qO- http://many/"));
      return seen.size === 3;
    });
    const [one = ""] = names;
    expect(await bench.get(one, "/fetch?url=http://many.default.svc.cluster.local/")).toMatch(
      /^200 hello from many-/,
    );
    const ip = await bench.ok("get service many -o jsonpath={.spec.clusterIP}");
    expect(await bench.get(one, `/fetch?url=http://${ip}/`)).toMatch(/^200 hello from many-/);
    expect(await bench.get(one, "/fetch?url=http://localhost:8080/")).toBe(`200 hello from ${one}`);
    expect(await bench.get(one, "/get?url=http://localhost:8080/")).toBe(`200 hello from ${one}`);
    expect(await bench.get(one, "/get?url=http://many/")).toMatch(/^200 hello from many-/);
    expect(await bench.get(one, "/fetch?url=http://localhost:8081/")).toContain("error ECONNREFUSED");
    expect(await bench.get(one, "/fetch?url=http://missing.default.svc/")).toContain("error ENOTFOUND");
  });
});
