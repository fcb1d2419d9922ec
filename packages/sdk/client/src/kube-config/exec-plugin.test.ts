import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../testing/index.ts";
import { CredentialsError } from "./credential.ts";
import { execConfig } from "./exec-config.ts";
import { createExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plugin-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const v1 = "client.authentication.k8s.io/v1";
const cluster = { server: "https://there", config: { audience: "shop" } };

/** A plugin whose program sees `answer(status)` and `note(text)`, which adds to the file `notes`. */
function pluginOf(program: string, more: object = {}, options: Partial<ExecPluginOptions> = {}) {
  const script = join(folder, "plugin.cjs");
  writeFileSync(
    script,
    `const fs = require("node:fs");
    const note = (text) => fs.appendFileSync(${JSON.stringify(join(folder, "notes"))}, text + "\\n");
    const answer = (status, more = {}) =>
      console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: ${JSON.stringify(v1)}, ...more, status }));
    ${program}`,
  );
  const exec = { apiVersion: v1, command: process.execPath, args: [script], interactiveMode: "IfAvailable" };
  const heard: string[] = [];
  const plugin = createExecPlugin(execConfig("me", { ...exec, ...more }), {
    cluster: () => cluster,
    isTerminal: () => false,
    stderr: { write: (bytes: Uint8Array) => heard.push(String(bytes)) > 0 },
    ...options,
  });
  return Object.assign(plugin, { heard });
}

const notes = () => readFileSync(join(folder, "notes"), "utf8").trim().split("\n");

/** Resolves once the plugin has noted its process id. */
async function started(): Promise<number> {
  await expect.poll(() => existsSync(join(folder, "notes")) && notes()[0]).toMatch(/^\d+$/);
  return Number(notes()[0]);
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const errorOf = async (given: unknown): Promise<CredentialsError> => {
  const error: unknown = await Promise.resolve(given).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CredentialsError);
  return error as CredentialsError;
};

describe("what it is told", () => {
  const telling = `note(process.env.KUBERNETES_EXEC_INFO); answer({ token: [process.env.MINE, process.env.OWN].join() })`;

  test("is the version, whether it may ask somebody, and its own environment beside the process's", async () => {
    const env = [
      { name: "OWN", value: "first" },
      { name: "OWN", value: "last" },
    ];
    const plugin = pluginOf(
      telling,
      { env },
      { env: { ...process.env, MINE: "inherited", OWN: "inherited" } },
    );
    expect(await plugin.get()).toEqual({ token: "inherited,last" });
    const [info] = notes().map((line) => JSON.parse(line));
    expect(info).toEqual({ kind: "ExecCredential", apiVersion: v1, spec: { interactive: false } });
  });

  test("is the cluster, if its user says so", async () => {
    await pluginOf(telling, { provideClusterInfo: true }).get();
    expect(JSON.parse(notes()[0] ?? "").spec).toEqual({ interactive: false, cluster });
  });

  test.each([
    ["Never", true, false],
    ["IfAvailable", true, true],
    ["IfAvailable", false, false],
    ["Always", true, true],
  ])("interactiveMode %s, with a terminal: %s", async (interactiveMode, terminal, interactive) => {
    await pluginOf(telling, { interactiveMode }, { isTerminal: () => terminal }).get();
    expect(JSON.parse(notes()[0] ?? "").spec.interactive).toBe(interactive);
  });

  test("nothing, if it always asks somebody and nobody is there", async () => {
    const plugin = pluginOf(telling, { interactiveMode: "Always" });
    const { message } = await errorOf(plugin.get());
    expect(message).toContain(
      'user "me" has interactiveMode Always, and standard input is not a terminal: log in',
    );
    expect(existsSync(join(folder, "notes"))).toBe(false);
  });
});

describe("what it answers", () => {
  /** One whose tokens say how often it has run. */
  const program = (more = "") =>
    `note("run"); answer({ token: "t" + fs.readFileSync(__dirname + "/notes", "utf8").trim().split("\\n").length${more} })`;

  test("is asked for once by all who ask at the same time, and kept", async () => {
    const plugin = pluginOf(program());
    const asked = await Promise.all([plugin.get(), plugin.get(), plugin.get()]);
    expect(asked).toEqual([{ token: "t1" }, { token: "t1" }, { token: "t1" }]);
    // At hand: nothing is waited for.
    expect(plugin.get()).toEqual({ token: "t1" });
  });

  test("counts until its expirationTimestamp", async () => {
    const clock = createFakeClock();
    const expires = clock.now() + 60_000;
    const at = new Date(expires).toISOString();
    const plugin = pluginOf(program(`, expirationTimestamp: ${JSON.stringify(at)}`), {}, { clock });
    expect(await plugin.get()).toEqual({ token: "t1", expires });
    await clock.advance(60_000);
    expect(await plugin.get()).toMatchObject({ token: "t1" });
    await clock.advance(1);
    expect(await plugin.get()).toMatchObject({ token: "t2" });
  });

  test("counts no longer once the server has refused it; of many refusals the first one asks", async () => {
    const plugin = pluginOf(program());
    const refused = await plugin.get();
    plugin.refuse(refused);
    expect(await plugin.get()).toEqual({ token: "t2" });
    plugin.refuse(refused);
    expect(plugin.get()).toEqual({ token: "t2" });
  });

  test("counts for good if it expires at Go's zero time", async () => {
    const plugin = pluginOf(program(`, expirationTimestamp: "0001-01-01T00:00:00Z"`));
    expect(await plugin.get()).toEqual({ token: "t1" });
    expect(plugin.get()).toEqual({ token: "t1" });
  });

  test.each(["2030-01-01T00:00:00Z", "2030-01-01T02:00:00.000000000+02:00"])("expires at %s", async (at) => {
    const expires = Date.UTC(2030, 0);
    const plugin = pluginOf(`answer({ token: "t", expirationTimestamp: ${JSON.stringify(at)} })`);
    expect(await plugin.get()).toEqual({ token: "t", expires });
  });

  test("may be YAML", async () => {
    const lines = ["# made by hand", "kind: ExecCredential", `apiVersion: ${v1}`, "status:", "  token: t"];
    const yaml = [...lines, "  expirationTimestamp: 2030-01-01T00:00:00Z"].join("\n");
    const plugin = pluginOf(`console.log(${JSON.stringify(yaml)})`);
    expect(await plugin.get()).toEqual({ token: "t", expires: Date.UTC(2030, 0) });
  });

  test.each([
    ["", "has printed nothing"],
    ["console.log('s3cret')", "has printed what is no ExecCredential in JSON or YAML"],
    ["console.log('{ s3cret')", "has printed what is no ExecCredential in JSON or YAML"],
    ["answer({ token: 't' }, { kind: 'Status' })", 'has printed the kind "Status", not ExecCredential'],
    [
      "answer({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })",
      `has answered with apiVersion "client.authentication.k8s.io/v1beta1", where the kubeconfig says ${v1}`,
    ],
    ["answer()", "has answered without a status"],
    ["answer({})", "has answered with neither a token nor a client certificate"],
    ["answer({ token: 1 })", "has answered with a status.token that is no text"],
    ["answer({ clientKeyData: 'k' })", "only one of clientCertificateData and clientKeyData"],
    [
      "answer({ clientKeyData: 'k', clientCertificateData: 'c' })",
      "client certificate and key that cannot be used",
    ],
    ...["soon", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00Z", "2030-02-30T00:00:00Z"].map(
      (at) => [
        `answer({ token: 't', expirationTimestamp: '${at}' })`,
        `the expirationTimestamp "${at}", which is no RFC 3339`,
      ],
    ),
  ])("is refused, with the user and the command: %s", async (source, reason) => {
    const { message } = await errorOf(pluginOf(source).get());
    expect(message).toContain(
      `the exec plugin ${JSON.stringify(process.execPath)} of the kubeconfig's user "me" has`,
    );
    expect(message).toContain(reason);
    expect(message).not.toContain("s3cret");
  });
});

test("one that prints without end is ended", async () => {
  const plugin = pluginOf(
    `process.stdout.on("error", () => {});
    setInterval(() => process.stdout.write("x".repeat(2 ** 18)), 1);
    note(process.pid);`,
  );
  const { message } = await errorOf(plugin.get());
  expect(message).toContain('user "me" has printed more than 1 MiB: is it an exec plugin?');
  expect(isThere(await started())).toBe(false);
});

describe("one that leaves a program behind, which has its stderr", () => {
  /** It says "here" once it hears signals, and "later" for SIGUSR2. */
  const browser = `process.on("SIGUSR2", () => console.error("later")); setInterval(() => {}, 1000); console.error("here")`;
  const leaving = `
    const browser = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(browser)}], {
      stdio: ["ignore", "ignore", "inherit"],
      detached: true,
    });
    browser.unref();
    note(browser.pid);
    answer({ token: "t" });`;

  afterEach(() => notes().map((pid) => process.kill(Number(pid), "SIGKILL")));

  test("is not waited for after it has ended, and that goes on", async () => {
    const plugin = pluginOf(leaving);
    expect(await plugin.get()).toEqual({ token: "t" });
    await expect.poll(() => plugin.heard.join("")).toBe("here\n");
    process.kill(await started(), "SIGUSR2");
    await expect.poll(() => plugin.heard.join("")).toBe("here\nlater\n");
  });

  test("does not keep the operator's process", async () => {
    const operator = join(folder, "operator.ts");
    pluginOf(leaving);
    const args = [join(folder, "plugin.cjs")];
    const user = { apiVersion: v1, command: process.execPath, args, interactiveMode: "Never" };
    writeFileSync(
      operator,
      `import { createExecPlugin } from ${JSON.stringify(import.meta.resolve("./exec-plugin.ts"))};
      import { execConfig } from ${JSON.stringify(import.meta.resolve("./exec-config.ts"))};
      const plugin = createExecPlugin(execConfig("me", ${JSON.stringify(user)}), { cluster: () => ({}) });
      console.log((await plugin.get()).token);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [operator]);
    expect(stdout).toBe("t\n");
    expect(isThere(await started())).toBe(true);
  });
});

describe("one that fails", () => {
  test("is told with its exit code; what it said is for people, who have seen it as it came", async () => {
    const plugin = pluginOf(
      `console.error("x".repeat(5000) + " \\x1b[31mSession expired\\x1b[0m"); process.exitCode = 3`,
    );
    const error = await errorOf(plugin.get());
    expect(error.message).toMatch(
      /user "me" has failed with exit code 3: log in anew, or run it by hand if what it has said on stderr does not help$/,
    );
    expect(plugin.heard.join("")).toBe(`${"x".repeat(5000)} \x1b[31mSession expired\x1b[0m\n`);
    expect(error.stderr).toMatch(/^x+ Session expired$/);
    expect(error.stderr).toHaveLength(1_000);
    // What logs, Events and statuses are made of.
    for (const shown of [String(error), inspect(error), JSON.stringify({ ...error }), error.stack]) {
      expect(shown).not.toContain("Session");
    }
  });

  test("is told with its exit code alone when it has said nothing", async () => {
    const { message } = await errorOf(pluginOf("process.exitCode = 1").get());
    expect(message).toMatch(
      /has failed with exit code 1: log in anew, or run it by hand to see what it lacks$/,
    );
  });

  test("is started again by who asks next", async () => {
    const plugin = pluginOf(
      `if (fs.existsSync(__dirname + "/notes")) answer({ token: "t" }); else { note("failed"); process.exitCode = 1; }`,
    );
    await errorOf(plugin.get());
    expect(await plugin.get()).toEqual({ token: "t" });
  });

  test("is told with the installHint when it is not there", async () => {
    const more = { command: "no-such-plugin", installHint: "\x1b[1mbrew install it\x1b[0m" };
    const { message } = await errorOf(pluginOf("", more).get());
    expect(message).toBe(
      'the exec plugin "no-such-plugin" of the kubeconfig\'s user "me" is not there: install it: brew install it',
    );
  });

  test("is told as what it is when it is no program", async () => {
    const command = join(folder, "text");
    writeFileSync(command, "hello", { mode: 0o600 });
    expect((await errorOf(pluginOf("", { command }).get())).message).toContain("cannot be started: EACCES");
  });
});

describe("one that nobody waits for any longer", () => {
  test("is ended, and SIGKILL ends one that does not heed it", async () => {
    const clock = createFakeClock();
    const plugin = pluginOf(
      `process.on("SIGTERM", () => note("SIGTERM")); note(process.pid); setInterval(() => {}, 1000)`,
      {},
      { clock },
    );
    const [first, second] = [new AbortController(), new AbortController()];
    const one = plugin.get(first.signal);
    const other = plugin.get(second.signal);
    const pid = await started();
    const reason = new Error("enough");
    first.abort(reason);
    await expect(one).rejects.toBe(reason);
    // Somebody waits.
    expect(isThere(pid)).toBe(true);
    expect(notes()).toHaveLength(1);
    second.abort(reason);
    await expect(other).rejects.toBe(reason);
    await expect.poll(() => notes()).toEqual([String(pid), "SIGTERM"]);
    await clock.advance(5_000);
    await expect.poll(() => isThere(pid)).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  test("is gone before the next one is started", async () => {
    const plugin = pluginOf(
      `if (fs.existsSync(__dirname + "/notes")) {
        const first = Number(fs.readFileSync(__dirname + "/notes", "utf8"));
        try {
          process.kill(first, 0);
          answer({ token: "beside the first" });
        } catch {
          answer({ token: "alone" });
        }
      } else {
        process.on("SIGTERM", () => setTimeout(() => process.exit(), 500));
        setInterval(() => {}, 1000);
        note(process.pid);
      }`,
    );
    const controller = new AbortController();
    const first = plugin.get(controller.signal);
    await started();
    controller.abort();
    await expect(first).rejects.toBe(controller.signal.reason);
    expect(await plugin.get()).toEqual({ token: "alone" });
  });
});
