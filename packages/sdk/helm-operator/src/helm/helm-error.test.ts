import { expect, it } from "vitest";
import { HelmError } from "./helm-error.ts";

// In the words of helm 3.18 and 4.2.
it.each([
  ["render", "Error: execution error at (web/templates/a.yaml:8:8): image.tag is required"],
  [
    "render",
    'Error: web/templates/a.yaml:14:15\n  executing "web/templates/a.yaml" at <.Values.a.b>:\n    nil pointer',
  ],
  [
    "render",
    'Error: template: web/templates/a.yaml:14:15: executing "web/templates/a.yaml" at <.Values.a.b>: nil pointer',
  ],
  ["render", 'Error: parse error at (web/templates/a.yaml:3): function "nope" not defined'],
  [
    "render",
    "Error: UPGRADE FAILED: YAML parse error on web/templates/a.yaml: error converting YAML to JSON: yaml: line 6",
  ],
  [
    "schema",
    "Error: values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\n- size: Invalid type",
  ],
  ["chart", 'Error: INSTALLATION FAILED: path "/charts/web" not found'],
  ["chart", "Error: INSTALLATION FAILED: Chart.yaml file is missing"],
  [
    "chart",
    "Error: an error occurred while checking for chart dependencies. You may need to run 'helm dependency build'",
  ],
  [
    "unknown-kind",
    'Error: unable to build kubernetes objects from release manifest: resource mapping not found for name: "x" namespace: "" from "": no matches for kind "Thing" in version "example.com/v1"\nensure CRDs are installed first',
  ],
  ["pending", "Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress"],
  ["exists", "Error: INSTALLATION FAILED: cannot re-use a name that is still in use"],
  [
    "exists",
    'level=ERROR msg="release name check failed"\nError: INSTALLATION FAILED: release name check failed: cannot reuse a name that is still in use',
  ],
  ["not-found", 'Error: UPGRADE FAILED: "web" has no deployed releases'],
  ["not-found", "Error: uninstall: Release not loaded: web: release: not found"],
  [
    "ownership",
    'Error: INSTALLATION FAILED: Unable to continue with install: ConfigMap "a" in namespace "b" exists and cannot be imported into the current release: invalid ownership metadata; label validation error',
  ],
  [
    "unreachable",
    'Error: UPGRADE FAILED: Kubernetes cluster unreachable: Get "http://localhost:8080/version": connection refused',
  ],
  [
    "unreachable",
    "Error: cluster reachability check failed: kubernetes cluster unreachable: the server has asked for credentials",
  ],
  [
    "forbidden",
    'Error: create: failed to create: secrets is forbidden: User "x" cannot create resource "secrets"',
  ],
  ["cancelled", "Release web has been cancelled.\nError: UPGRADE FAILED: context canceled"],
  [
    "cluster",
    "Error: UPGRADE FAILED: pre-upgrade hooks failed: 1 error occurred:\n\t* job web-hook failed: BackoffLimitExceeded",
  ],
  ["cluster", "panic: runtime error"],
  ["cluster", ""],
] as const)("%s: %s", (kind, stderr) => {
  const error = new HelmError({ operation: "upgrade", release: "shop/web", exitCode: 1, stderr });
  expect(error).toMatchObject({ name: "HelmError", kind, stderr, exitCode: 1 });
});

it("uses helm's whole error as its message, without log lines and warnings", () => {
  const said = "execution error at (web/templates/a.yaml:8:8): say\n  which: Error: none\n\nor leave it";
  const stderr = `WARNING: Kubernetes configuration file is group-readable\nlevel=WARN msg="upgrade failed"\nError: UPGRADE FAILED: ${said}\n`;
  const error = new HelmError({ operation: "upgrade", release: "shop/web", exitCode: 1, stderr });
  expect(error.message).toBe(`helm upgrade of shop/web: ${said}`);
});

it("keeps the end of helm's output, where the error is", () => {
  const stderr = `${"level=DEBUG msg=nothing\n".repeat(100_000)}Error: it is here`;
  const error = new HelmError({ operation: "version", stderr });
  expect(error.message).toBe("helm version: it is here");
  expect(error.stderr.length).toBe(16 * 1024);
});

it("has a message when helm prints nothing", () => {
  expect(new HelmError({ operation: "upgrade", stderr: " \n" }).message).toBe(
    "helm upgrade: it printed no message",
  );
});
