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

/**
 * Creates a plugin. Its program can call `answer(status)`, and `note(text)`, which appends to the file
 * `notes`.
 */
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
  const stderr: string[] = [];
  const plugin = createExecPlugin(execConfig("me", { ...exec, ...more }), {
    cluster: () => cluster,
    isTerminal: () => false,
    stderr: { write: (bytes: Uint8Array) => stderr.push(String(bytes)) > 0 },
    ...options,
  });
  return Object.assign(plugin, { stderr });
}

const notes = () => readFileSync(join(folder, "notes"), "utf8").trim().split("\n");

/** Resolves when the plugin has noted its process ID. */
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

const errorOf = async (result: unknown): Promise<CredentialsError> => {
  const error: unknown = await Promise.resolve(result).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CredentialsError);
  return error as CredentialsError;
};

describe("the input of an exec plugin", () => {
  const telling = `note(process.env.KUBERNETES_EXEC_INFO); answer({ token: [process.env.MINE, process.env.OWN].join() })`;

  test("contains the version, whether it is interactive, and its environment added to the process's", async () => {
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

  test("contains the cluster if its user has provideClusterInfo", async () => {
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

  test("rejects interactiveMode Always without a terminal", async () => {
    const plugin = pluginOf(telling, { interactiveMode: "Always" });
    const { message } = await errorOf(plugin.get());
    expect(message).toContain(
      'user "me" has interactiveMode Always, but standard input is not a terminal: log in',
    );
    expect(existsSync(join(folder, "notes"))).toBe(false);
  });
});

describe("the answer of an exec plugin", () => {
  /** A plugin whose token contains the number of its runs. */
  const program = (more = "") =>
    `note("run"); answer({ token: "t" + fs.readFileSync(__dirname + "/notes", "utf8").trim().split("\\n").length${more} })`;

  test("is shared by concurrent calls, and cached", async () => {
    const plugin = pluginOf(program());
    const credentials = await Promise.all([plugin.get(), plugin.get(), plugin.get()]);
    expect(credentials).toEqual([{ token: "t1" }, { token: "t1" }, { token: "t1" }]);
    // Cached: returned without a promise.
    expect(plugin.get()).toEqual({ token: "t1" });
  });

  test("is cached until its expirationTimestamp", async () => {
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

  test("is dropped when the server rejects it, and several rejections start one run", async () => {
    const plugin = pluginOf(program());
    const refused = await plugin.get();
    plugin.refuse(refused);
    expect(await plugin.get()).toEqual({ token: "t2" });
    plugin.refuse(refused);
    expect(plugin.get()).toEqual({ token: "t2" });
  });

  test("never expires if its expiry is Go's zero time", async () => {
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
    ["", "printed nothing"],
    ["console.log('s3cret')", "did not print an ExecCredential in JSON or YAML"],
    ["console.log('{ s3cret')", "did not print an ExecCredential in JSON or YAML"],
    ["answer({ token: 't' }, { kind: 'Status' })", 'printed the kind "Status", not ExecCredential'],
    [
      "answer({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })",
      `answered with apiVersion "client.authentication.k8s.io/v1beta1", but the kubeconfig has ${v1}`,
    ],
    ["answer()", "answered without a status"],
    ["answer({})", "answered with neither a token nor a client certificate"],
    ["answer({ token: 1 })", "answered with a status.token that is not a string"],
    ["answer({ clientKeyData: 'k' })", "only one of clientCertificateData and clientKeyData"],
    [
      "answer({ clientKeyData: 'k', clientCertificateData: 'c' })",
      "client certificate and key that cannot be used",
    ],
    ...["soon", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00Z", "2030-02-30T00:00:00Z"].map(
      (at) => [
        `answer({ token: 't', expirationTimestamp: '${at}' })`,
        `the expirationTimestamp "${at}", which is not an RFC 3339 time`,
      ],
    ),
  ])("is rejected with the user and the command: %s", async (source, reason) => {
    const { message } = await errorOf(pluginOf(source).get());
    expect(message).toContain(
      `the exec plugin ${JSON.stringify(process.execPath)} of the kubeconfig's user "me" `,
    );
    expect(message).toContain(reason);
    expect(message).not.toContain("s3cret");
  });
});

test("stops a plugin that prints endlessly", async () => {
  const plugin = pluginOf(
    `process.stdout.on("error", () => {});
    setInterval(() => process.stdout.write("x".repeat(2 ** 18)), 1);
    note(process.pid);`,
  );
  const { message } = await errorOf(plugin.get());
  expect(message).toContain('user "me" printed more than 1 MiB: is it an exec plugin?');
  expect(isThere(await started())).toBe(false);
});

describe("an exec plugin that leaves a child with its stderr", () => {
  /** The child prints "here" when it handles signals, and "later" on SIGUSR2. */
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

  test("ends with its own exit, and the child continues", async () => {
    const plugin = pluginOf(leaving);
    expect(await plugin.get()).toEqual({ token: "t" });
    await expect.poll(() => plugin.stderr.join("")).toBe("here\n");
    process.kill(await started(), "SIGUSR2");
    await expect.poll(() => plugin.stderr.join("")).toBe("here\nlater\n");
  });

  test("does not keep the operator's process alive", async () => {
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

describe("an exec plugin that fails", () => {
  test("is reported with its exit code, and its stderr goes only to the terminal", async () => {
    const plugin = pluginOf(
      `console.error("x".repeat(5000) + " \\x1b[31mSession expired\\x1b[0m"); process.exitCode = 3`,
    );
    const error = await errorOf(plugin.get());
    expect(error.message).toMatch(
      /user "me" failed with exit code 3: log in again, or run it by hand if its output on stderr does not help$/,
    );
    expect(plugin.stderr.join("")).toBe(`${"x".repeat(5000)} \x1b[31mSession expired\x1b[0m\n`);
    expect(error.stderr).toMatch(/^x+ Session expired$/);
    expect(error.stderr).toHaveLength(1_000);
    // The forms that reach logs, Events and statuses.
    for (const shown of [String(error), inspect(error), JSON.stringify({ ...error }), error.stack]) {
      expect(shown).not.toContain("Session");
    }
  });

  test("is reported with its exit code alone if its stderr is empty", async () => {
    const { message } = await errorOf(pluginOf("process.exitCode = 1").get());
    expect(message).toMatch(/failed with exit code 1: log in again, or run it by hand to see why$/);
  });

  test("runs again for the next call", async () => {
    const plugin = pluginOf(
      `if (fs.existsSync(__dirname + "/notes")) answer({ token: "t" }); else { note("failed"); process.exitCode = 1; }`,
    );
    await errorOf(plugin.get());
    expect(await plugin.get()).toEqual({ token: "t" });
  });

  test("is reported with the installHint if it is missing", async () => {
    const more = { command: "no-such-plugin", installHint: "\x1b[1mbrew install it\x1b[0m" };
    const { message } = await errorOf(pluginOf("", more).get());
    expect(message).toBe(
      'the exec plugin "no-such-plugin" of the kubeconfig\'s user "me" was not found: install it: brew install it',
    );
  });

  test("is reported with the system's error if it is not executable", async () => {
    const command = join(folder, "text");
    writeFileSync(command, "hello", { mode: 0o600 });
    expect((await errorOf(pluginOf("", { command }).get())).message).toContain("cannot be started: EACCES");
  });
});

describe("an exec plugin whose calls have all aborted", () => {
  test("is stopped with SIGTERM, and then with SIGKILL", async () => {
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
    // One call still waits.
    expect(isThere(pid)).toBe(true);
    expect(notes()).toHaveLength(1);
    second.abort(reason);
    await expect(other).rejects.toBe(reason);
    await expect.poll(() => notes()).toEqual([String(pid), "SIGTERM"]);
    await clock.advance(5_000);
    await expect.poll(() => isThere(pid)).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  test("has exited before the next one starts", async () => {
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
