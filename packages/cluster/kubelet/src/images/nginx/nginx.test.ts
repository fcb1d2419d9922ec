import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestPod, run } from "../../testing/container.ts";
import { NginxConfigError, parseNginxConfig } from "./config.ts";

/** Starts nginx with this text as its first server, and with further files. */
async function start(server?: string, files: Record<string, string> = {}) {
  const pod = createTestPod();
  const container = await pod.start({
    image: "nginx:1.27.5",
    command: ["sh", "-c", "sleep infinity"],
  });
  const view = await container.filesystem();
  if (server !== undefined) await view.writeFile("/etc/nginx/conf.d/default.conf", server);
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
  while (!output.join("").includes("start worker process ") && !output.join("").includes("emerg"))
    await new Promise((resolve) => setImmediate(resolve));
  const ask = (path: string, port = 80, method = "GET", headers: Record<string, string> = {}) =>
    pod.network.request("localhost", port, { method, path, headers, body: "" });
  return { ...pod, container, nginx, view, output: () => output.join(""), ask };
}

describe("the default configuration", () => {
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
    expect((await ask("/", 80, "GET", { "if-none-match": headers?.ETag ?? "" })).status).toBe(304);
  });

  test("serves files in its folder, and none above it", async () => {
    const root = "/usr/share/nginx/html";
    const { ask } = await start(undefined, {
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

describe("a custom configuration", () => {
  test("sets ports, locations and responses", async () => {
    const { ask } = await start(
      `
      server {
        listen 8080;
        add_header X-Where "here";
        location = /healthz { return 200 "ok\\n"; }
        location /old { return 301 /new; }
        location /gone { return 410; }
        location /files/ { alias /data/; }
        location / { root /data; try_files $uri /fallback.html; }
      }
      server { listen 9090; return 200 other; }`,
      {
        "/data/a.txt": "a",
        "/data/fallback.html": "fallback",
      },
    );
    expect(await ask("/healthz", 8080)).toMatchObject({
      status: 200,
      body: "ok\n",
      headers: { "X-Where": "here" },
    });
    expect((await ask("/healthz/x", 8080)).body).toBe("fallback");
    expect(await ask("/old/page", 8080)).toMatchObject({ status: 301, headers: { Location: "/new" } });
    expect((await ask("/gone", 8080)).status).toBe(410);
    expect((await ask("/files/a.txt", 8080)).body).toBe("a");
    expect((await ask("/anything", 8080)).body).toBe("fallback");
    expect((await ask("/", 9090)).body).toBe("other");
    await expect(ask("/", 80)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("proxies with and without a path, and responds with 502 if no server listens", async () => {
    const { ask, network } = await start(`server {
      location /api/ { proxy_pass http://localhost:7000/v1/; }
      location /same/ { proxy_pass http://localhost:7000; }
      location /closed { proxy_pass http://localhost:7001; }
    }`);
    network.listen(7000, { http: ({ path }) => ({ status: 200, body: path }) });
    expect((await ask("/api/x?y=1")).body).toBe("/v1/x?y=1");
    expect((await ask("/same/x")).body).toBe("/same/x");
    expect((await ask("/closed")).status).toBe(502);
  });

  test("is reloaded on SIGHUP, and stays in force if the new one is invalid", async () => {
    const { ask, view, container, output } = await start("server { return 200 one; }");
    const reload = async (text: string) => {
      await view.writeFile("/etc/nginx/conf.d/default.conf", text);
      return run(container, ["nginx", "-s", "reload"]);
    };
    await reload("server { return 200 two; }");
    while ((await ask("/")).body !== "two") await new Promise((resolve) => setImmediate(resolve));
    await reload("server { return 200 three");
    while (!output().includes("unexpected end of file"))
      await new Promise((resolve) => setImmediate(resolve));
    expect((await ask("/")).body).toBe("two");
    expect((await run(container, ["nginx", "-t"])).stderr).toMatch(
      /\[emerg\] unexpected end of file[\s\S]*test failed\n$/,
    );
  });

  test.each([
    ["server { listen 80 }", 'unexpected "}" in /etc/nginx/conf.d/default.conf:1'],
    ["server {", 'unexpected end of file, expecting "}" in /etc/nginx/conf.d/default.conf:1'],
    ["server { listen 99999; }", 'invalid port in "99999" of the "listen" directive'],
    ["server { location / { proxy_pass http://nope; } }", 'host not found in upstream "nope"'],
    ["server { rewrite a b; }", '"rewrite" directive is not simulated'],
    [
      "include /etc/nginx/other.conf;",
      'open() "/etc/nginx/other.conf" failed (2: No such file or directory)',
    ],
  ])("%s does not start", async (text, message) => {
    const { nginx, output } = await start(text);
    expect(await nginx.exited).toBe(1);
    expect(output()).toContain(`nginx: [emerg] ${message}`);
  });
});

test("parses any text as a configuration, or rejects it", () => {
  const words = fc.constantFrom(
    "server",
    "{",
    "}",
    ";",
    '"a b"',
    "'c'",
    "# x\n",
    "listen",
    "80",
    "\n",
    '"',
    "\\",
  );
  fc.assert(
    fc.property(fc.array(words), (parts) => {
      try {
        parseNginxConfig(parts.join(" "), "f");
      } catch (error) {
        expect(error).toBeInstanceOf(NginxConfigError);
      }
    }),
  );
});
