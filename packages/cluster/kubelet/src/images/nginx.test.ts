import { describe, expect, test } from "vitest";
import { createTestPod, run } from "../testing/container.ts";

/** Starts nginx with these files. */
async function start(files: Record<string, string> = {}) {
  const pod = createTestPod();
  const container = await pod.start({
    image: "nginx:1.27.5",
    command: ["sh", "-c", "sleep infinity"],
  });
  const view = await container.filesystem();
  for (const [path, text] of Object.entries(files)) {
    await view.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await view.writeFile(path, text);
  }
  const output: string[] = [];
  const nginx = await container.spawn({
    argv: ["nginx", "-g", "daemon off;"],
    tty: false,
    stdin: undefined,
    onOutput: (_, chunk) => void output.push(Buffer.from(chunk).toString()),
  });
  // nginx reads its files first.
  while (!output.join("").includes("start worker processes") && !output.join("").includes("emerg"))
    await new Promise((resolve) => setImmediate(resolve));
  const ask = (path: string, port = 80, method = "GET", headers: Record<string, string> = {}) =>
    pod.network.request("localhost", port, { method, path, headers, body: "" });
  return { container, nginx, output: () => output.join(""), ask };
}

describe("the server", () => {
  test("serves the welcome page, and 404 for a missing file", async () => {
    const { ask, output } = await start();
    const { status, headers, body } = await ask("/");
    expect([status, headers?.Server, headers?.["Content-Type"]]).toEqual([200, "nginx/1.27.5", "text/html"]);
    expect(body).toContain("<h1>Welcome to nginx!</h1>");
    expect((await ask("/nope?x=1")).status).toBe(404);
    expect(output()).toMatch(
      /open\(\) "\/usr\/share\/nginx\/html\/nope" failed \(2: No such file or directory\)/,
    );
    expect(output()).toMatch(
      /^10\.244\.0\.9 - - \[.* \+0000\] "GET \/nope\?x=1 HTTP\/1\.1" 404 \d+ "-" "-" "-"$/m,
    );
    expect((await ask("/", 80, "DELETE")).status).toBe(405);
    expect((await ask("/%zz")).status).toBe(400);
  });

  test("serves files in its folder, and none above it", async () => {
    const root = "/usr/share/nginx/html";
    const { ask } = await start({
      [`${root}/app.js`]: "let x;",
      [`${root}/docs/index.html`]: "docs",
      [`${root}/empty/x`]: "x",
    });
    expect(await ask("/app.js")).toMatchObject({
      body: "let x;",
      headers: { "Content-Type": "application/javascript" },
    });
    expect((await ask("/docs/")).body).toBe("docs");
    expect(await ask("/docs", 80, "GET", { host: "web" })).toMatchObject({
      status: 301,
      headers: { Location: "http://web/docs/" },
    });
    expect((await ask("/empty/")).status).toBe(403);
    for (const path of [
      "/../../../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/docs/..%2f..%2f..%2fetc/passwd",
    ])
      expect([404, 400]).toContain((await ask(path)).status);
  });
});

test.each([
  ["/etc/nginx/conf.d/default.conf", "server { return 200 one; }"],
  ["/etc/nginx/conf.d/more.conf", "server { listen 81; }"],
  ["/etc/nginx/nginx.conf", "events {}"],
])("does not start with a configuration of its own in %s", async (path, text) => {
  const { nginx, output } = await start({ [path]: text });
  expect(await nginx.exited).toBe(1);
  expect(output()).toContain(`cannot use the configuration in ${path}: use a kind cluster`);
});

test("rejects the options that it does not simulate, and prints its version", async () => {
  const { container } = await start();
  const { stderr, exitCode } = await run(container, ["nginx", "-s", "reload"]);
  expect([stderr, exitCode]).toEqual([expect.stringContaining("has no option -s"), 1]);
  expect(await run(container, ["nginx", "-v"])).toMatchObject({ stderr: "nginx version: nginx/1.27.5\n" });
});
