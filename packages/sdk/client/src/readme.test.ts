import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");
const programs = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(
  ([, program = ""]) => program,
);

/**
 * Starts a server that has one Pod and accepts every patch. Adds the path and content type of each patch to
 * `patches`.
 */
async function startServer(patches: string[]): Promise<string> {
  const pod = { metadata: { name: "web" }, status: { phase: "Running" } };
  const server = createServer(({ method, url, headers }, response) => {
    if (method === "GET" && url === "/api/v1/namespaces/default/pods") {
      response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items: [pod] }));
    } else if (method === "PATCH") {
      patches.push(`${url?.replace(/^.*\/deployments\//, "")} ${headers["content-type"]}`);
      response.end("{}");
    } else response.writeHead(404).end("404 page not found\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["first", 0, "1 Pods in default\nweb Running\nnothing to delete\n"],
  ["second", 1, "the server has no podbuggertools: is their CustomResourceDefinition applied?\n"],
  ["third", 2, "Memcached 1\n"],
  ["fourth", 3, ""],
  ["fifth", 4, "1536Mi does not fit\n5400000 1m30s\n"],
  ["eighth", 7, "200\n"],
])("runs the README's %s program", async (_, index, screen) => {
  expect(programs).toHaveLength(8);
  const folder = mkdtempSync(join(tmpdir(), "client-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const patches: string[] = [];
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server: await startServer(patches), "insecure-skip-tls-verify": true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "here", user: "me" } }],
      clusters: [{ name: "here", cluster }],
      users: [{ name: "me", user: { token: "t" } }],
    }),
  );
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", programs[index] ?? ""],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig } },
  );
  const exited = once(child, "close");
  let out = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (out += text));
  expect(await exited).toEqual([0, null]);
  expect(out).toBe(screen);
  expect(patches).toEqual(
    programs[index]?.includes(".patch(")
      ? [
          "web application/merge-patch+json",
          "web application/json-patch+json",
          "web application/strategic-merge-patch+json",
          "web?fieldManager=my-program&force=true application/apply-patch+yaml",
          "web/status application/merge-patch+json",
        ]
      : [],
  );
});
