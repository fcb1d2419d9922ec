import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findTool } from "@operator-path/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesVersion } from "./generated/kubernetes.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const { path: kubectl } = await findTool("kubectl");
const directory = mkdtempSync(join(tmpdir(), "apiserver-kubectl-"));
const environment = { HOME: directory, KUBECONFIG: join(directory, "kubeconfig"), PATH: "" };
let server: TestServer;

beforeAll(async () => {
  writeFileSync(environment.KUBECONFIG, server.kubeconfigYaml(), { mode: 0o600 });
});
server = await startTestServer(
  {
    connectNode: () => ({
      async *logs() {
        yield Buffer.from("it runs\n");
      },
      async exec({ command }, { stdin, stdout, stderr }) {
        if (command[0] === "cat") for await (const chunk of stdin) await stdout(chunk);
        else await stderr(Buffer.from(`${command.join(" ")}\n`));
        return { exitCode: Number(command[1] ?? 0) };
      },
      portForward: () => Promise.reject(new Error("not here")),
      api: () => Promise.reject(new Error("not here")),
      attach: async () => ({ exitCode: 0 }),
    }),
  },
  { shared: true },
);
afterAll(() => rmSync(directory, { recursive: true }));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(command: string, input = ""): Promise<Outcome> {
  const running = promisify(execFile)(kubectl, command.split(" "), { env: environment });
  running.child.stdin?.end(input);
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    return error as Outcome;
  }
}

/** Runs a command that must succeed, and returns its output. */
async function ok(command: string, input = ""): Promise<string> {
  const { code, stdout, stderr } = await run(command, input);
  expect(stderr, `kubectl ${command}`).toBe("");
  expect(code).toBe(0);
  return stdout;
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: podbuggertools.ualter.com}
spec:
  group: ualter.com
  scope: Namespaced
  names: {plural: podbuggertools, singular: podbuggertool, kind: Podbuggertool, shortNames: [pbt]}
  versions:
    - name: v1beta1
      served: true
      storage: true
      subresources: {status: {}}
      additionalPrinterColumns: [{name: Image, type: string, jsonPath: .spec.image}]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {image: {type: string, description: What to debug with.}}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;
const resource = `
apiVersion: ualter.com/v1beta1
kind: Podbuggertool
metadata: {name: a, namespace: demo}
spec: {image: busybox}
`;
const pod = `
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: demo, labels: {app: payment}}
spec:
  nodeName: n1
  containers: [{name: payment, image: "payment:1.0.0"}]
`;

test("namespaces, and the kinds that kubectl writes in protobuf", async () => {
  expect(await ok("create namespace demo")).toBe("namespace/demo created\n");
  expect(await ok("create configmap c --from-literal=a=b -n demo")).toBe("configmap/c created\n");
  expect(await ok("create serviceaccount default -n demo")).toBe("serviceaccount/default created\n");
  expect(await ok("get cm -n demo -o jsonpath={.items[*].data.a}")).toBe("b");
  expect(await ok("get namespace demo --no-headers")).toMatch(/^demo +Active +\d+s\n$/);
});

test("a definition is served at once: discovery, explain, apply, get, delete", async () => {
  expect(await ok("apply -f -", definition)).toBe(
    "customresourcedefinition.apiextensions.k8s.io/podbuggertools.ualter.com created\n",
  );
  expect(await ok("wait --for=condition=established crd/podbuggertools.ualter.com")).toContain(
    "condition met",
  );
  expect(await ok("api-resources --api-group=ualter.com --no-headers")).toMatch(
    /^podbuggertools +pbt +ualter.com\/v1beta1 +true +Podbuggertool\n$/,
  );
  expect(await ok("explain pbt.spec.image")).toContain("What to debug with.");
  expect(await ok("apply -f -", resource)).toBe("podbuggertool.ualter.com/a created\n");
  expect(await ok("apply -f -", resource)).toBe("podbuggertool.ualter.com/a unchanged\n");
  expect(await ok("get pbt -n demo")).toBe("NAME   IMAGE\na      busybox\n");
  expect(await ok("delete crd podbuggertools.ualter.com")).toContain("deleted");
  expect((await run("get pbt -n demo")).stderr).toContain("could not find the requested resource");
});

test("Pods: apply, label, watch, logs, exec, delete", async () => {
  expect(await ok("apply -f -", pod)).toBe("pod/p created\n");
  const watching = spawn(kubectl, ["get", "pods", "-n", "demo", "--watch", "--no-headers"], {
    env: environment,
  });
  let seen = "";
  watching.stdout.on("data", (chunk) => {
    seen += chunk;
  });
  await expect.poll(() => seen).toMatch(/^p +0\/1 +Pending/);
  expect(await ok("label pod p tier=backend -n demo")).toBe("pod/p labeled\n");
  await expect.poll(() => seen.trim().split("\n").length).toBe(2);
  watching.kill();
  expect(await ok("get pods -A -l app=payment,tier -o name")).toBe("pod/p\n");
  expect(await ok("logs p -n demo")).toBe("it runs\n");
  expect(await ok("exec -i p -n demo -- cat", "some input")).toBe("some input");
  const failed = await run("exec p -n demo -- exit 3");
  expect([failed.code, failed.stderr]).toEqual([3, "exit 3\ncommand terminated with exit code 3\n"]);
  expect(await ok("delete pod p -n demo --grace-period=1 --wait=false")).toContain('pod "p" deleted');
});

test("access reviews and the server's version", async () => {
  expect(await ok("auth whoami -o jsonpath={.status.userInfo.username}")).toBe("kubernetes-admin");
  expect(await ok("auth can-i create pods")).toBe("yes\n");
  expect(await ok("version")).toContain(`Server Version: v${kubernetesVersion}`);
  expect((await ok("create token default -n demo")).trim().length).toBeGreaterThan(30);
});

test("prints the errors of a real server", async () => {
  const missing = await run("get configmap nothing -n demo");
  expect([missing.code, missing.stderr]).toEqual([
    1,
    'Error from server (NotFound): configmaps "nothing" not found\n',
  ]);
  const unknown = await run("apply -f -", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nfoo: 1\n");
  expect(unknown.stderr).toContain(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo"',
  );
});

test("reports what is not served, with a real server's message if there is one", async () => {
  await ok("apply -f -", definition);
  await ok("create namespace pbts");
  await ok("apply -f -", resource.replace("demo", "pbts"));
  expect((await run("scale pbt a -n pbts --replicas=2")).stderr).toBe(
    'Error from server (NotFound): podbuggertools.ualter.com "a" not found\n',
  );
  await ok("delete crd podbuggertools.ualter.com");
  expect((await run("get pbt -n pbts")).stderr).toBe(
    'Error from server (NotFound): Unable to list "ualter.com/v1beta1, Resource=podbuggertools": the server could not find the requested resource (get podbuggertools.ualter.com)\n',
  );
  expect((await run("get --raw /api/v1/namespaces/demo/pods/p/resize")).stderr).toBe(
    "Error from server (NotFound): pods/resize is not served by this embedded cluster yet\n",
  );
});
