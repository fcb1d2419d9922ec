import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";

const namespace = "website-operator-system";
const deployment = "website-operator-controller-manager";
// `make test-e2e` and `npm run test-e2e` set APPROVED_CONTEXT. CONTEXT may be left over from something else.
const { KUBECTL = "kubectl", APPROVED_CONTEXT: context } = process.env;

// Builds, pushes and deploys the operator to the cluster of the current context, and at the end removes it with all
// objects of its kinds. So it leaves a cluster alone that already has any of them.
let isOurs = false;
beforeAll(() => {
  const there = kubectl("get", "-k", "config/default", "--ignore-not-found", "--output=name");
  if (there !== "") throw new Error(`the operator is in this cluster already: make undeploy first\n${there}`);
  isOurs = true;
  make("docker-build", "docker-push", "deploy");
});
afterAll(() => {
  if (isOurs) make("undeploy", "ignore-not-found=true");
});

test("the operator becomes ready, and says nothing of errors", () => {
  kubectl("rollout", "status", `deployment/${deployment}`, "-n", namespace, "--timeout=120s");
  const logs = kubectl("logs", `deployment/${deployment}`, "-n", namespace);
  expect(logs).toContain("Starting manager");
  expect(logs).not.toContain('"level":"error"');
});

test("only metrics-reader reads the metrics", () => {
  const account = `--as=system:serviceaccount:${namespace}:default`;
  const mayRead = () => kubectl("auth", "can-i", "get", "/metrics", account).trim();
  expect(mayRead).toThrow(/^no$/m);
  const binding = ["clusterrolebinding", "website-operator-e2e-metrics"];
  kubectl(
    ...["create", ...binding],
    ...["--clusterrole=website-operator-metrics-reader", `--serviceaccount=${namespace}:default`],
  );
  try {
    expect(mayRead()).toBe("yes");
  } finally {
    kubectl("delete", ...binding);
  }
});

function kubectl(...args: string[]): string {
  return run(KUBECTL, ...(context === undefined ? [] : [`--context=${context}`]), ...args);
}

/** Names the approved context, so make does not ask again. */
function make(...args: string[]): string {
  return run("make", ...args, ...(context === undefined ? [] : [`CONTEXT=${context}`]));
}

/** Its output. Throws with it when the command fails. */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
  }
}
