import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type ApiServer, startApiServer } from "@operator-path/apiserver";
import { type Client, createClient, leases, mutatingWebhookConfigurations } from "@operator-path/client";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ignoreNotFound } from "../client/errors.ts";
import { installMemcached, memcached, memcacheds } from "../controller/testing/memcached.ts";
import { childrenOf, type DevSession, isRunning, startDevSession } from "./testing/dev-session.ts";
import { link } from "./testing/install-sdk.ts";
import { colourModule, createOperatorProject, type OperatorProject } from "./testing/operator-project.ts";
import { auditWrites } from "./testing/write-audit.ts";

let project: OperatorProject;
let server: ApiServer;
let connection: Client;
/** The address of the session's webhooks. */
let session: DevSession;

beforeAll(async () => {
  project = createOperatorProject();
  server = await startApiServer({
    resolveService: async () => ({ host: "127.0.0.1", port: session.running().at(-1)?.webhook ?? 1 }),
  });
  connection = createClient(server.kubeConfig());
  writeFileSync(join(project.folder, "kubeconfig"), server.kubeconfigYaml(), { mode: 0o600 });
  await installMemcached(connection);
  const path = "/mutate-cache-example-com-v1alpha1-memcached";
  const rule = { apiGroups: ["cache.example.com"], apiVersions: ["v1alpha1"], resources: ["memcacheds"] };
  await connection.resource(mutatingWebhookConfigurations).create({
    metadata: { name: "dev" },
    webhooks: [
      {
        ...{ name: "dev.example.com", admissionReviewVersions: ["v1"], sideEffects: "None" },
        // Allows for a busy machine.
        timeoutSeconds: 30,
        ...{ failurePolicy: "Fail", rules: [{ ...rule, operations: ["CREATE"] }] },
        clientConfig: { service: { namespace: "default", name: "dev", path } },
      },
    ],
  });
});
afterAll(async () => {
  await connection?.close();
  await server?.stop();
  project?.remove();
});
beforeEach(async () => {
  project.save("src/colour.ts", colourModule("red"));
  // Removes the Lease of a killed session, which would otherwise be valid for an hour.
  await connection.resource(leases).namespace("default").delete("dev").catch(ignoreNotFound);
});

const api = () => connection.resource(memcacheds).namespace("default");
const lease = () => connection.resource(leases).namespace("default").get("dev");
const until = <T>(look: () => T | Promise<T>) => vi.waitFor(look);

async function start(...options: string[]): Promise<DevSession> {
  // Allows for a busy machine.
  const patient = ["--grace", "3600", ...options];
  session = startDevSession(project.folder, [...patient, "src/main.ts", "--name", "one"], {
    KUBECONFIG: join(project.folder, "kubeconfig"),
  });
  const { child, ended } = session;
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await session.says("RUNS");
  return session;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return port;
}

/** Creates a Memcached and waits until the operator has written its colour. */
async function createOne(name: string): Promise<string | undefined> {
  await api().create(memcached(name));
  return until(async () => {
    const { status } = await api().get(name);
    expect(status?.nodes).toHaveLength(1);
    return status?.nodes?.[0];
  });
}

test("a save reaches the cluster without two operators acting at once and without a failed webhook call", async () => {
  const audit = auditWrites();
  onTestFinished(audit.stop);
  const { says, running, output } = await start();
  expect(await createOne("sample")).toBe("red");
  const configuration = () => connection.resource(mutatingWebhookConfigurations).get("dev");
  const authority = (await configuration()).webhooks?.[0]?.clientConfig.caBundle;
  expect(authority).toBeTruthy();

  const call = async () => {
    const { metadata } = await api().create(memcached("call"), { dryRun: true });
    return metadata?.annotations?.colour;
  };
  const colours = new Set([await call()]);
  project.save("src/colour.ts", colourModule("green"));
  while (!colours.has("green")) colours.add(await call());
  expect([...colours]).toEqual(["red", "green"]);
  await until(async () => expect((await api().get("sample")).status?.nodes).toEqual(["green"]));
  await says("RUNS", 2);
  await says("restarted in");

  const [old, next] = running();
  expect(next).toMatchObject({ args: ["--name", "one"], metrics: old?.metrics, health: old?.health });
  expect(next?.webhook).toBe(old?.webhook);
  expect(await (await fetch(`http://${next?.metrics}/metrics`)).text()).toContain("controller_runtime_");
  expect((await configuration()).webhooks?.[0]?.clientConfig.caBundle).toBe(authority);
  expect(audit.turns(/^operator\//)).toEqual([`operator/${old?.pid}`, `operator/${next?.pid}`]);
  expect((await lease()).spec).toMatchObject({ holderIdentity: expect.stringContaining("operator-dev") });
  expect(output()).toMatch(/\[dev\] src\/colour.ts changed: restarting\n/);
});

test("a slow operator has ended before the next one acts", async () => {
  const farewell = `for (let n = 0; n < 1_000; n++) await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "farewell-" + n } }, { dryRun: true });`;
  project.save("src/colour.ts", colourModule("red", farewell));
  const audit = auditWrites();
  onTestFinished(audit.stop);
  const { says, running } = await start();
  project.save("src/colour.ts", colourModule("white"));
  await says("RUNS", 2);
  expect(await createOne("after-a-farewell")).toBe("white");
  expect(audit.turns(/^operator\//)).toEqual(running().map(({ pid }) => `operator/${pid}`));
  expect(audit.count(/configmaps/)).toBe(1_000);
});

test("keeps the operator running after a syntax error, until the next save", async () => {
  const { says, running } = await start();
  project.save("src/colour.ts", "export const colour = ;\n");
  await says("[dev] Expression expected at src/colour.ts:1");
  await says("The previous operator keeps running.");
  expect(await createOne("meanwhile")).toBe("red");
  project.save("src/colour.ts", colourModule("blue"));
  await until(async () => expect((await api().get("meanwhile")).status?.nodes).toEqual(["blue"]));
  expect(running()).toHaveLength(2);
});

test("shows the type errors of a save, although the operator runs, and says when they are gone", async () => {
  link(
    "typescript",
    join(import.meta.dirname, "../../../../../node_modules"),
    join(project.folder, "node_modules"),
  );
  const compilerOptions = { module: "NodeNext", strict: true, types: [], skipLibCheck: true };
  project.save("tsconfig.json", JSON.stringify({ compilerOptions, files: ["src/colour.ts"] }));
  onTestFinished(() => project.save("tsconfig.json", JSON.stringify({ compilerOptions, files: [] })));
  const { says, output } = await start();
  project.save(
    "src/colour.ts",
    `${colourModule("lime")}export const shades = () => ["dark"].fliter(Boolean);\n`,
  );
  await says("[dev] type error at src/colour.ts:3:38: Property 'fliter' does not exist on type 'string[]'");
  await says("Did you mean 'filter'? (TS2551)");
  await says("RUNS", 2);
  expect(await createOne("typed")).toBe("lime");
  const wrong = Array.from({ length: 5 }, (_, n) => `const wrong${n}: string = ${n};\n`).join("");
  project.save("src/colour.ts", `${colourModule("lime")}${wrong}`);
  await says("[dev] 2 more type errors: npx tsc shows them");
  expect(output()).not.toContain("wrong3");
  project.save("src/colour.ts", colourModule("green"));
  await says("[dev] the types are right again");
});

test("restarts an operator that failed at its start after the next save, and refuses its callers until then", async () => {
  const { says } = await start();
  project.save("src/colour.ts", `${colourModule("pink")}throw new Error("not like this");\n`);
  await says("[dev] src/main.ts ended with exit code 1: the next save starts it again");
  await says("Error: not like this");
  await expect(api().create(memcached("call"), { dryRun: true })).rejects.toMatchObject({ code: 500 });
  project.save("src/colour.ts", colourModule("pink"));
  await says("RUNS", 2);
  expect(await createOne("afterwards")).toBe("pink");
});

test("names the .ts file when an import names a .js file that does not exist", async () => {
  const { says } = await start();
  project.save("src/shade.ts", colourModule("pink"));
  project.save("src/colour.ts", 'export * from "./shade.js";\n');
  await says("[dev] src/main.ts ended with exit code 1: the next save starts it again");
  await says('write "./shade.ts": Node runs the .ts file itself');
});

test("restarts once for a hundred saves", async () => {
  const { child, says, output } = await start();
  // The files change at once, however long the watcher takes.
  child.kill("SIGSTOP");
  for (let save = 0; save < 100; save++) project.save(`src/colour.ts`, colourModule(`shade-${save}`));
  child.kill("SIGCONT");
  await says("RUNS", 2);
  expect(await createOne("storm")).toBe("shade-99");
  expect(output().match(/changed: restarting/g)).toHaveLength(1);
});

test("kills a hanging operator, and the next one takes its Lease at once", async () => {
  project.save("src/colour.ts", colourModule("red", "for (;;);"));
  const { says } = await start("--grace", "0.2");
  const { leaseTransitions, holderIdentity } = (await lease()).spec ?? {};
  project.save("src/colour.ts", colourModule("grey"));
  await says("[dev] the operator did not end in time: it was killed");
  await says("RUNS", 2);
  expect((await lease()).spec).toMatchObject({ leaseTransitions, holderIdentity });
  expect(await createOne("after-a-kill")).toBe("grey");
});

test("runs on tsx, watches imports from linked packages, and preloads them, but not the operator's own modules", async () => {
  project.save("package.json", JSON.stringify({ type: "module", devDependencies: { tsx: "*" } }));
  onTestFinished(() => project.save("package.json", JSON.stringify({ type: "module" })));
  link("tsx", join(import.meta.dirname, "../../../../../node_modules"), join(project.folder, "node_modules"));
  project.save("../linked/palette/package.json", JSON.stringify({ name: "palette", exports: "./index.ts" }));
  project.save(
    "../linked/palette/index.ts",
    `console.log("PALETTE"); export enum Shade { dark = "dark red" }`,
  );
  link("palette", join(project.folder, "../linked"), join(project.folder, "node_modules"));
  project.save(
    "src/colour.ts",
    `import "../controllers/tint.ts";\nimport { Shade } from "palette";\nexport const colour = Shade.dark;\nexport async function leave() {}\n`,
  );
  project.save("controllers/tint.ts", 'console.log("TINT");\n');
  const { says, output } = await start();
  expect(output()).toContain("[dev] src/main.ts on tsx, watching src and each file that it loads\n");
  expect(await createOne("shaded")).toBe("dark red");
  // The next process has also loaded the package.
  await says("PALETTE", 2);
  expect(output().match(/TINT/g)).toHaveLength(1);
  project.save("../linked/palette/index.ts", `export enum Shade { dark = "dark blue" }`);
  await says("[dev] ../linked/palette/index.ts changed: restarting");
  await until(async () => expect((await api().get("shaded")).status?.nodes).toEqual(["dark blue"]));
});

test("an attached debugger blocks nothing and finds the next operator at the same port", async () => {
  const port = await freePort();
  const { running, says } = await start("--inspect", String(port));
  const find = async (): Promise<string> => {
    const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
    return (targets as { webSocketDebuggerUrl: string }[])[0]?.webSocketDebuggerUrl ?? "";
  };
  const url = await find();
  const debuggerSocket = new WebSocket(url);
  await once(debuggerSocket, "open");
  debuggerSocket.send(JSON.stringify({ id: 1, method: "Debugger.enable" }));
  await once(debuggerSocket, "message");
  project.save("src/colour.ts", colourModule("black"));
  await says("RUNS", 2);
  expect(await find()).not.toBe(url);
  expect(running()).toHaveLength(2);
  expect(await createOne("debugged")).toBe("black");
});

test("rejects a port for the debugger that another process uses", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { ended, output } = startDevSession(project.folder, ["--inspect", String(port), "src/main.ts"]);
  expect(await ended).toEqual([2, null]);
  expect(output()).toContain(`operator-dev: --inspect ${port}: another process uses this port`);
});

test.each([
  [["--inspect", "here", "src/main.ts"], "operator-dev: --inspect here is not a port"],
  [
    ["--grace", "soon", "src/main.ts"],
    "operator-dev: --grace soon is not a number of seconds: set a number of at least 0",
  ],
  [["src/mian.ts"], "operator-dev: src/mian.ts does not exist in "],
  [["--watch", "conf", "src/main.ts"], "operator-dev: conf does not exist in "],
])("rejects %j with exit code 2", async (args, message) => {
  const { ended, output } = startDevSession(project.folder, args);
  expect(await ended).toEqual([2, null]);
  expect(output()).toContain(message);
  expect(output()).toMatch(/; operator-dev --help lists the options\n$/);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s ends everything with exit code 0", async (signal) => {
  const { child, says, ended, output, interrupt } = await start();
  await says("started in");
  // The operator, and the prepared process.
  const pids = await until(() => {
    const found = childrenOf(child.pid);
    expect(found).toHaveLength(2);
    return found;
  });
  interrupt(signal);
  expect(await ended).toEqual([0, null]);
  expect(output()).toContain('"msg":"Manager stopped"');
  expect(pids.filter(isRunning)).toEqual([]);
  expect((await lease()).spec?.holderIdentity).toBe("");
});

test("a second Ctrl+C kills a hanging operator with exit code 130", async () => {
  project.save("src/colour.ts", colourModule("red", "console.log('HANGS'); for (;;);"));
  const { child, says, running, ended } = await start("--no-ahead");
  child.kill("SIGINT");
  await says("[dev] stopping; press Ctrl+C again to end at once");
  await says("HANGS");
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(running().filter(({ pid }) => isRunning(pid))).toEqual([]);
});

test("an operator never outlives operator-dev, whatever ends it", async () => {
  const { child, says } = await start();
  await says("started in");
  const pids = childrenOf(child.pid);
  child.kill("SIGKILL");
  await until(() => expect(pids.filter(isRunning)).toEqual([]));
  expect((await lease()).spec?.holderIdentity).toBe("");
});
