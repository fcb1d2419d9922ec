// kubectl apply --server-side: its effects, its conflicts, and the change from and to client-side apply.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";
import { crd, podbuggertool } from "./podbuggertool.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
});
afterAll(() => bench.stop());

const deployment = (name: string, replicas: number, image = "nginx:1.27"): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: web, image: "${image}"}]}
`;

async function managers(object: string): Promise<string[]> {
  const text = await bench.ok(
    `get ${object} --show-managed-fields -o 'jsonpath={range .metadata.managedFields[*]}{.manager}/{.operation}/{.subresource} {end}'`,
  );
  return text.trim().split(" ");
}

describe("kubectl apply --server-side", () => {
  it("creates, changes, and reports it", async () => {
    const manifest = deployment("web", 1);
    expect(await bench.ok("apply --server-side -f -", manifest)).toBe(
      "deployment.apps/web serverside-applied\n",
    );
    await bench.ok("rollout status deployment/web --timeout=50s");
    expect(await bench.ok("apply --server-side -f -", deployment("web", 1, "nginx:1.28"))).toBe(
      "deployment.apps/web serverside-applied\n",
    );
    expect(await bench.ok("get deployment web -o jsonpath={..image}")).toBe("nginx:1.28");
    expect(await managers("deployment web")).toContain("kubectl/Apply/");
  });

  it("names the manager in a conflict, and takes over the field when forced", async () => {
    await bench.ok("apply --server-side -f -", deployment("contested", 1));
    await bench.ok("scale deployment/contested --replicas=2");
    expect(await bench.refused("apply --server-side -f -", deployment("contested", 3))).toBe(
      [
        'error: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
        "Please review the fields above--they currently have other managers. Here",
        "are the ways you can resolve this warning:",
        "* If you intend to manage all of these fields, please re-run the apply",
        "  command with the `--force-conflicts` flag.",
        "* If you do not intend to manage all of the fields, please edit your",
        "  manifest to remove references to the fields that should keep their",
        "  current managers.",
        "* You may co-own fields by updating your manifest to match the existing",
        "  value; in this case, you'll become the manager if the other manager(s)",
        "  stop managing the field (remove it from their configuration).",
        "See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts",
      ].join("\n"),
    );
    await bench.ok("apply --server-side --force-conflicts -f -", deployment("contested", 3));
    expect(await bench.ok("get deployment contested -o jsonpath={.spec.replicas}")).toBe("3");
  });

  it("lets two managers own parts of one object", async () => {
    await bench.ok("apply --server-side -f -", deployment("shared", 1));
    const labels = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: shared, labels: {team: a}}}";
    await bench.ok("apply --server-side --field-manager=team -f -", labels);
    expect(await managers("deployment shared")).toEqual(
      expect.arrayContaining(["kubectl/Apply/", "team/Apply/"]),
    );
    const without = labels.replace(", labels: {team: a}", "");
    await bench.ok("apply --server-side --field-manager=team -f -", without);
    expect(await bench.ok("get deployment shared -o jsonpath={.metadata.labels}")).toBe("");
  });

  it("rejects fields that the schema lacks", async () => {
    const wrong = deployment("wrong", 1).replace("replicas:", "replica:");
    expect(await bench.refused("apply --server-side -f -", wrong)).toBe(
      "Error from server (BadRequest): failed to create typed patch object (default/wrong; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema",
    );
  });

  it("applies custom resources", async () => {
    await bench.ok("apply --server-side -f -", crd);
    await bench.ok("wait --for=condition=Established crd/podbuggertools.ualter.com");
    const tool = podbuggertool("label: app=payment, image: busybox");
    expect(await bench.ok("apply --server-side -f -", tool)).toBe(
      "podbuggertool.ualter.com/a serverside-applied\n",
    );
    await bench.ok("delete pbt a");
  });

  it("--dry-run=server writes nothing", async () => {
    expect(await bench.ok("apply --server-side --dry-run=server -f -", deployment("dry", 1))).toBe(
      "deployment.apps/dry serverside-applied (server dry run)\n",
    );
    expect(await bench.refused("get deployment dry")).toContain("NotFound");
  });
});

it("diff --server-side shows what would change", async () => {
  await bench.ok("apply --server-side -f -", deployment("differing", 1));
  const { code, stdout } = await bench.run("diff --server-side -f -", { input: deployment("differing", 2) });
  expect(code).toBe(1);
  expect(stdout).toContain("-  replicas: 1\n+  replicas: 2\n");
  const conflicting = await bench.run("diff --server-side --field-manager=other -f -", {
    input: deployment("differing", 2),
  });
  expect(conflicting.stderr).toContain('conflict with "kubectl": .spec.replicas');
});

it("shows managed fields on request", async () => {
  await bench.ok("create configmap shown --from-literal=key=value");
  expect(await bench.ok("get configmap shown -o yaml")).not.toContain("managedFields");
  const shown = await bench.ok("get configmap shown -o yaml --show-managed-fields");
  expect(shown.replaceAll(/time: .*/g, "time: <time>")).toContain(
    [
      "  managedFields:",
      "  - apiVersion: v1",
      "    fieldsType: FieldsV1",
      "    fieldsV1:",
      "      f:data:",
      "        .: {}",
      "        f:key: {}",
      "    manager: kubectl-create",
      "    operation: Update",
      "    time: <time>",
    ].join("\n"),
  );
});

describe("between client-side and server-side apply", () => {
  it("there, without a conflict, and back", async () => {
    await bench.ok("apply -f -", deployment("moving", 1));
    expect(await managers("deployment moving")).toContain("kubectl-client-side-apply/Update/");
    await bench.ok("apply --server-side -f -", deployment("moving", 1, "nginx:1.28"));
    expect(await bench.ok("get deployment moving -o jsonpath={..image}")).toBe("nginx:1.28");
    expect(await bench.ok("apply -f -", deployment("moving", 1, "nginx:1.29"))).toBe(
      "deployment.apps/moving configured\n",
    );
    expect(await bench.ok("get deployment moving -o jsonpath={..image}")).toBe("nginx:1.29");
  });
});

it("no answer was a 500", () => {
  expect(bench.failures).toEqual([]);
});
