import type { Program, SimulatedImage } from "../runtime/contracts.ts";
import { untilSignalled } from "../runtime/spawn.ts";

const PORT = 8080;

/** Runs a small HTTP service that logs its requests, until SIGTERM or SIGINT. */
const serve: Program = async (context) => {
  const { clock, network, env } = context;
  const line = (message: string) => context.stdout(`${new Date(clock.now()).toISOString()} ${message}\n`);
  const port = Number(env.PORT ?? PORT);
  const started = clock.now();
  let server: { close(): void };
  try {
    server = network.listen(port, {
      http({ method, path }) {
        const [route] = path.split("?");
        if (route === "/healthz" || route === "/readyz") return { status: 200, body: "ok\n" };
        line(`${method} ${path}`);
        if (route !== "/") return { status: 404, body: "not found\n" };
        const body = {
          service: "payment",
          version: "1.0.0",
          uptimeSeconds: Math.floor((clock.now() - started) / 1000),
        };
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: `${JSON.stringify(body)}\n`,
        };
      },
    });
  } catch {
    context.stderr(`Error: listen EADDRINUSE: address already in use :::${port}\n`);
    return 1;
  }
  line(`payment 1.0.0 is listening on port ${port}`);
  const signal = await untilSignalled(context, ["SIGTERM", "SIGINT"]);
  line(`${signal}: closing`);
  server.close();
  return 0;
};

/**
 * The tutorial's demo service. It is distroless, so it has no shell and no tools, and it runs as user 1000.
 */
export const payment: SimulatedImage = {
  repository: "docker.io/library/payment",
  tags: ["1.0.0"],
  preloaded: true,
  config: {
    entrypoint: ["/nodejs/bin/node"],
    cmd: ["/app/server.js"],
    user: "1000",
    workingDir: "/app",
  },
  files: () => ({
    "/nodejs/bin/node": { content: "simulated executable\n", mode: 0o755 },
    "/app/server.js": "// The simulated service: what runs is no JavaScript of this container.\n",
    "/app/package.json": `${JSON.stringify({ name: "payment", version: "1.0.0" }, undefined, 2)}\n`,
    "/etc/os-release": 'PRETTY_NAME="Distroless (simulated)"\nID="distroless"\n',
    "/etc/passwd":
      "root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n",
    "/etc/group": "root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n",
  }),
  programs: { "/nodejs/bin/node": serve },
};
