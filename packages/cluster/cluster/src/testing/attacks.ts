/** The targets of attacks. All of them belong to this machine, and none to the Pod. */
export interface Targets {
  /** A folder with `secret.txt`, `secret.env`, `secret.json` and the database `secret.db`. */
  readonly outside: string;
  readonly kubeconfig: string;
  /** Path of a Unix socket that a program listens on. */
  readonly unixSocket: string;
  /** TCP and UDP port of 127.0.0.1 that the same program listens on. */
  readonly port: number;
  /** A process with the secret in its environment. */
  readonly pid: number;
  /** Programs started by an attack have this in their command line. */
  readonly mark: string;
}

/** A command of a Pod: options of node and a program, and variables of the container. */
export interface Attack {
  readonly name: string;
  readonly program: (targets: Targets) => string;
  readonly options?: (targets: Targets) => readonly string[];
  readonly env?: (targets: Targets) => Readonly<Record<string, string>>;
}

const text = JSON.stringify;
/** Returns one attack for each name and expression of a list. */
const each = (kind: string, list: Readonly<Record<string, (targets: Targets) => string>>): Attack[] =>
  Object.entries(list).map(([name, program]) => ({ name: `${kind}: ${name}`, program }));

/** Prints the results of expressions, without those that throw. */
const tryAll = (expressions: readonly string[]) =>
  expressions
    .map((one) => `try { Promise.resolve(${one}).then((v) => console.log(String(v)), () => {}); } catch {}`)
    .join("\n");

const read = (path: string) => `require("fs").readFileSync(${text(path)}, "utf8")`;

export const reads: Attack[] = each("reads", {
  "files by every kind of path": ({ outside, pid, kubeconfig }) =>
    tryAll([
      read(`${outside}/secret.txt`),
      read(`/proc/self/root${outside}/secret.txt`),
      read(`/proc/self/cwd/../../../../../../../../../../..${outside}/secret.txt`),
      read(`/proc/thread-self/root${outside}/secret.txt`),
      read(`/proc/1/root${outside}/secret.txt`),
      read(`/proc/${pid}/root${outside}/secret.txt`),
      read(`../../../../../../../../../../../..${outside}/secret.txt`),
      read("/proc/1/environ"),
      read(`/proc/${pid}/environ`),
      read(kubeconfig),
      `require("fs").readFileSync(Buffer.from(${text(`${outside}/secret.txt`)}), "utf8")`,
      `require("fs").readFileSync(new URL(${text(`file://${outside}/secret.txt`)}), "utf8")`,
    ]),
  "files by other functions": ({ outside }) => {
    const path = text(`${outside}/secret.txt`);
    return tryAll([
      `require("fs").openAsBlob(${path}).then((blob) => blob.text())`,
      `require("fs/promises").readFile(${path}, "utf8")`,
      `require("fs/promises").open(${path}).then((file) => file.readFile("utf8"))`,
      `(require("fs").cpSync(${path}, "/tmp/copy"), ${read("/tmp/copy")})`,
      `(require("fs").copyFileSync(${path}, "/tmp/copied"), ${read("/tmp/copied")})`,
      `(require("fs").linkSync(${path}, "/tmp/linked"), ${read("/tmp/linked")})`,
      `(require("fs").symlinkSync(${path}, "/tmp/symbolic"), ${read("/tmp/symbolic")})`,
      `(require("fs").renameSync(${path}, "/tmp/renamed"), ${read("/tmp/renamed")})`,
      `(process.loadEnvFile(${text(`${outside}/secret.env`)}), process.env.SECRET)`,
      `require(${text(`${outside}/secret.json`)}).secret`,
      `import(${text(`${outside}/secret.json`)}, { with: { type: "json" } }).then((m) => m.default.secret)`,
      `require("fs").globSync(${text(`${outside}/*`)})`,
    ]);
  },
  "a database by file: URL": ({ outside }) =>
    `const { DatabaseSync } = require("node:sqlite");
     const db = new DatabaseSync(new URL(${text(`file://${outside}/secret.db`)}));
     console.log(JSON.stringify(db.prepare("SELECT * FROM secrets").all()));`,
  "a database by a file: string": ({ outside }) =>
    `const { DatabaseSync } = require("node:sqlite");
     const db = new DatabaseSync(${text(`file:${outside}/secret.db`)});
     console.log(JSON.stringify(db.prepare("SELECT * FROM secrets").all()));`,
  "a database by ATTACH": ({ outside }) =>
    `const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
     const db = new DatabaseSync(":memory:");
     db.exec(${text(`ATTACH '${outside}/secret.db' AS other`)});
     console.log(JSON.stringify(db.prepare("SELECT * FROM other.secrets").all()));`,
  "files after built-in prototypes were replaced": ({ outside }) =>
    `String.prototype.startsWith = String.prototype.includes = () => true;
     RegExp.prototype.test = () => true; Array.prototype.some = () => true; Array.prototype.find = () => undefined;
     process.permission.has = () => true;
     console.log(${read(`${outside}/secret.txt`)});`,
  "files through the pipes to the kubelet": ({ outside }) => {
    const ask = {
      ask: "run",
      tool: { file: "/bin/cat", args: [`${outside}/secret.txt`], cwd: "/", env: {} },
    };
    return `const fs = require("fs");
     for (const fd of [3, 4, 5]) try { fs.writeSync(fd, ${text(`${JSON.stringify({ ...ask, id: 7, input: "", timeout: 0, maxBuffer: 1e6 })}\n`)}); } catch {}
     setTimeout(() => { for (const fd of [4, 5]) try { const b = Buffer.alloc(4096); console.log(b.toString("utf8", 0, fs.readSync(fd, b))); } catch {} process.exit(); }, 300);`;
  },
});

/** Each gets a Worker class in its own way. The thread reads a file and starts a program. */
export const workers: Attack[] = Object.entries({
  "its own options": "[Worker, { eval: true, execArgv: [] }]",
  "the class below the wrapper": "[Object.getPrototypeOf(Worker), { eval: true, execArgv: [] }]",
  "the constructor of a thread": "[new Worker('', { eval: true }).constructor, { eval: true, execArgv: [] }]",
  "an option that turns the fence off": "[Worker, { eval: true, execArgv: ['--no-permission'] }]",
  "its own environment": "[Worker, { eval: true, env: { NODE_OPTIONS: '--no-permission' } }]",
  "a module's cache":
    "[require('module')._load('worker_threads').Worker, { eval: true, execArgv: ['--no-warnings'] }]",
  "a wrapper of the prototype's":
    "[Reflect.getPrototypeOf(Worker.prototype).constructor, { eval: true, execArgv: [] }]",
}).map(([name, expression]) => ({
  name: `a Worker: ${name}`,
  program: ({ outside, mark }) => {
    const thread = `
      try { console.log(${read(`/proc/self/root${outside}/secret.txt`)}); } catch {}
      try { require("fs").writeFileSync(${text(`${outside}/written`)}, ""); } catch {}
      require("child_process").spawn("/bin/sleep", [${text(mark)}], { detached: true, stdio: "ignore" }).on("error", () => {}).unref();`;
    return `const { Worker } = require("worker_threads");
      const [Class, options] = ${expression};
      new Class(${text(thread)}, options).on("error", (error) => console.log(error.code));`;
  },
}));

/** Options that make Node or V8 read or write a file without the permission model. */
const options: Readonly<Record<string, (outside: string) => string[]>> = {
  "--logfile": (o) => ["--prof", "--no-logfile-per-isolate", `--logfile=${o}/v8.log`],
  "--logfile with underscores": (o) => ["--prof", "--no_logfile_per_isolate", `--logfile=${o}/v8.log`],
  "--log-all": (o) => ["--log-all", `--logfile=${o}/v8.log`],
  "--trace-event-file-pattern": (o) => [
    "--trace-event-categories=v8,node",
    `--trace-event-file-pattern=${o}/trace.log`,
  ],
  "--localstorage-file": (o) => ["--webstorage", `--localstorage-file=${o}/storage.db`],
  "--perf-basic-prof-path": (o) => ["--perf-basic-prof", `--perf-basic-prof-path=${o}`],
  "--cpu-prof": (o) => ["--cpu-prof", `--cpu-prof-dir=${o}`],
  "--heap-prof": (o) => ["--heap-prof", `--heap-prof-dir=${o}`],
  "--report-uncaught-exception": (o) => ["--report-uncaught-exception", `--report-dir=${o}`],
  "--diagnostic-dir": (o) => ["--report-uncaught-exception", `--diagnostic-dir=${o}`],
  "--redirect-warnings": (o) => [`--redirect-warnings=${o}/warnings`],
  "--tls-keylog": (o) => [`--tls-keylog=${o}/keys`],
  "--trace-turbo": (o) => ["--trace-turbo", `--trace-turbo-path=${o}`],
  "--env-file": (o) => [`--env-file=${o}/secret.env`],
  "--env-file in the next word": (o) => ["--env-file", `${o}/secret.env`],
  "--env-file with dots": (o) => [`--env-file=../../../../../../../../../../../..${o}/secret.env`],
  "--env-file-if-exists": (o) => [`--env-file-if-exists=${o}/secret.env`],
  "--require": (o) => ["--require", `${o}/secret.json`],
  "--test-reporter-destination": (o) => ["--test-reporter=tap", `--test-reporter-destination=${o}/tap`],
};

export const optionAttacks: Attack[] = [
  ...Object.entries(options).map(([name, words]) => ({
    name: `the option ${name}`,
    options: ({ outside }: Targets) => words(outside),
    program: () => `
      try { localStorage.setItem("a", "b"); } catch {}
      process.emitWarning("a warning");
      console.log(process.env.SECRET);
      setTimeout(() => { throw new Error("an end that is reported"); }, 50);`,
  })),
  ...(["NODE_V8_COVERAGE", "NODE_REDIRECT_WARNINGS", "NODE_COMPILE_CACHE", "NODE_REPL_HISTORY"] as const).map(
    (name) => ({
      name: `the variable ${name}`,
      env: ({ outside }: Targets) => ({ [name]: `${outside}/${name}` }),
      program: () => `process.emitWarning("a warning"); require("fs");`,
    }),
  ),
  {
    name: "NODE_OPTIONS",
    env: ({ outside }) => ({
      NODE_OPTIONS: `--trace-event-categories=v8 --trace-event-file-pattern=${outside}/trace.log`,
    }),
    program: () => "setTimeout(() => {}, 50);",
  },
  {
    name: "--expose-internals",
    options: () => ["--expose-internals"],
    program: ({ pid }) =>
      `require("internal/test/binding").internalBinding("process_methods")._kill(${pid}, 9);`,
  },
];

export const writes: Attack[] = each("writes", {
  "a database by ATTACH": ({ outside }) =>
    `const { DatabaseSync } = require("node:sqlite");
     new DatabaseSync(":memory:").exec(${text(`ATTACH '${outside}/new.db' AS x; CREATE TABLE x.t(a)`)});`,
  "a database by VACUUM INTO": ({ outside }) =>
    `const { DatabaseSync } = require("node:sqlite");
     new DatabaseSync(":memory:").exec(${text(`CREATE TABLE t(a); VACUUM INTO '${outside}/new.db'`)});`,
  "a log that is set by V8 flags at run time": ({ outside }) =>
    `const v8 = require("v8");
     for (const flag of ["--no-logfile-per-isolate", ${text(`--logfile=${outside}/v8.log`)}, "--log-all", "--prof", "--log-code",
       ${text(`--perf-basic-prof-path=${outside}`)}, "--perf-basic-prof", ${text(`--trace-turbo-path=${outside}`)}, "--trace-turbo"])
       try { v8.setFlagsFromString(flag); } catch {}
     const f = () => { let n = 0; for (let i = 0; i < 1e6; i++) n += i % 7; return n; };
     for (let i = 0; i < 20; i++) f();
     try { require("vm").runInNewContext("(() => 1)()"); } catch {}`,
  "a report of a fatal error": ({ outside }) =>
    `process.report.directory = ${text(outside)};
     process.report.reportOnUncaughtException = true; process.report.reportOnFatalError = true;
     setTimeout(() => { throw new Error("reported"); }, 10);`,
  "a report and a heap snapshot": ({ outside }) =>
    tryAll([
      `process.report.writeReport(${text(`${outside}/report.json`)})`,
      `require("v8").writeHeapSnapshot(${text(`${outside}/heap`)})`,
      `require("module").enableCompileCache(${text(`${outside}/cache`)})`,
      `require("fs").mkdirSync(${text(`${outside}/folder`)})`,
    ]),
  "a trace of events": ({ outside }) =>
    `try { process.chdir(${text(outside)}); } catch {}
     require("trace_events").createTracing({ categories: ["node", "v8"] }).enable(); setTimeout(() => {}, 50);`,
  "a Unix socket": ({ outside }) =>
    `require("net").createServer().on("error", () => process.exit()).listen(${text(`${outside}/socket`)}, () => process.exit());
     setTimeout(() => process.exit(), 500);`,
});

export const starts: Attack[] = each("starts a program", {
  "node:child_process": ({ mark }) =>
    `const c = require("child_process"); const args = ["/bin/sleep", [${text(mark)}], { detached: true, stdio: "ignore" }];
     for (const start of [c.spawn, c.execFile]) try { start(...args).on("error", () => {}).unref(); } catch {}
     try { c.spawnSync("/bin/sh", ["-c", ${text(`sleep ${mark} &`)}]); } catch {}
     try { c.fork("/app/idle.cjs", [${text(mark)}], { detached: true, execPath: process.execPath }).on("error", () => {}); } catch {}
     try { new c.ChildProcess().spawn({ file: "/bin/sleep", args: ["sleep", ${text(mark)}], stdio: "ignore" }); } catch {}
     setTimeout(() => process.exit(), 300);`,
  "process.execve": ({ mark }) => `process.execve("/bin/sleep", ["sleep", ${text(mark)}], {});`,
  "node:cluster": ({ mark }) =>
    `const c = require("cluster"); c.setupPrimary({ exec: "/app/idle.cjs", args: [${text(mark)}] }); c.fork().on("error", () => {});
     setTimeout(() => process.exit(), 300);`,
  bindings: ({ mark }) =>
    tryAll([
      `process.binding("spawn_sync").spawn({ file: "/bin/sh", args: ["sh", "-c", ${text(`sleep ${mark} &`)}] })`,
      `process._linkedBinding("process_wrap")`,
    ]),
  addons: ({ outside }) =>
    tryAll([
      `process.dlopen({ exports: {} }, ${text(`${outside}/x.node`)})`,
      `(process.getBuiltinModule("node:ffi") ?? require("node:ffi")).dlopen("libc.so.6", {}) && "loaded a library"`,
      `new (require("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } }) && "made a WASI"`,
    ]),
});

export const kills: Attack[] = each("kills a process", {
  "process.kill": ({ pid }) => tryAll([`process.kill(${pid}, 9)`, `process.kill(-${pid}, 9)`]),
  "process._kill": ({ pid }) => tryAll([`process._kill(${pid}, 9)`, `process._kill(-${pid}, 9)`]),
  "a process._kill of the prototype's": ({ pid }) =>
    tryAll([
      `Object.getPrototypeOf(process)._kill?.(${pid}, 9)`,
      `(delete process._kill, process._kill?.(${pid}, 9))`,
      `process.kill.call({ _kill: process._kill, pid: ${pid} }, ${pid}, 9)`,
    ]),
  "process._debugProcess": ({ pid }) => tryAll([`process._debugProcess(${pid})`]),
  "a forged pid": ({ pid }) =>
    tryAll([`(Object.defineProperty(process, "pid", { value: ${pid} }), process.kill(${pid}, 9))`]),
});

/** Names and spellings of this machine's loopback. */
export const loopbackForms = [
  ..."127.1 127.0.1 127.0.0.1 0x7f000001 0x7f.1 2130706433 0177.0.0.1 0 0.0.0.0 127.255.255.254 localhost localhost.".split(
    " ",
  ),
  ..."LOCALHOST ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:127.1.2.3 :: ::127.0.0.1 127.0.0.1.".split(
    " ",
  ),
];

export const connections: Attack[] = [
  ...each("connects to a Unix socket", {
    "by path": ({ unixSocket }) =>
      tryAll([
        `require("net").connect(${text(unixSocket)}).on("error", () => {}).write("x")`,
        `require("net").connect({ path: ${text(`../../../../../../../../../../..${unixSocket}`)} }).on("error", () => {})`,
        `require("net").connect({ path: ${text(`/proc/self/root${unixSocket}`)} }).on("error", () => {})`,
        `require("http").get({ socketPath: ${text(unixSocket)} }).on("error", () => {})`,
      ]),
    "by the handle of standard output": ({ unixSocket }) =>
      `const { Pipe } = { Pipe: process.stdout._handle.constructor };
       const pipe = new Pipe(0); const { AsyncHook } = {};
       const hook = require("async_hooks").createHook({ init(_i, type, _t, resource) { if (type === "PIPECONNECTWRAP") globalThis.Wrap = resource.constructor; } }).enable();
       try { require("net").connect("/nowhere").on("error", () => {}); } catch {}
       const request = globalThis.Wrap ? new Wrap() : {};
       request.oncomplete = () => {};
       try { pipe.connect(request, ${text(unixSocket)}); } catch {}
       setTimeout(() => process.exit(), 200);`,
  }),
  ...each("connects to the loopback", {
    "by its names": ({ port }) =>
      `const net = require("net"); let left = 0; const done = () => --left || process.exit();
       for (const host of ${text(loopbackForms)}) { left++; try { const s = net.connect({ host, port: ${port} }, () => s.write(host)); s.on("error", () => {}).on("close", done).setTimeout(400, () => s.destroy()); } catch { done(); } }`,
    "by its own lookup": ({ port }) =>
      tryAll(
        ['"127.0.0.1", 4', '"::ffff:127.0.0.1", 6', '[{ address: "127.0.0.1", family: 4 }]'].map(
          (answer) =>
            `require("net").connect({ host: "example.invalid.example", port: ${port}, lookup: (_n, _o, done) => done(null, ${answer}) }).on("error", () => {}).setTimeout(400, function () { this.destroy(); })`,
        ),
      ),
    "by fetch, http, https, http2, tls and WebSocket": ({ port }) =>
      tryAll([
        ...["127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0", "localhost."].map(
          (host) => `fetch("http://${host}:${port}/").then((r) => r.text())`,
        ),
        `require("http").get("http://127.1:${port}").on("error", () => {})`,
        `require("https").get("https://127.1:${port}").on("error", () => {})`,
        `require("http2").connect("http://127.1:${port}").on("error", () => {})`,
        `require("tls").connect({ host: "127.1", port: ${port} }).on("error", () => {})`,
        `new WebSocket("ws://127.1:${port}")`,
        "new Promise((r) => setTimeout(() => process.exit(), 600))",
      ]),
    "by the handle of a server": ({ port }) =>
      `const net = require("net"); let Wrap;
       require("async_hooks").createHook({ init(_i, type, _t, resource) { if (type === "TCPCONNECTWRAP") Wrap = resource.constructor; } }).enable();
       const first = net.connect(1, "192.0.2.1").on("error", () => {});
       setTimeout(() => {
         first.destroy();
         const handle = net._createServerHandle("127.0.0.1", 0, 4); const TCP = handle.constructor;
         for (const [method, address] of [["connect", "127.0.0.1"], ["connect", "0.0.0.0"], ["connect6", "::ffff:127.0.0.1"], ["connect", { toString: () => "127.0.0.1" }]])
           try { const one = new TCP(0), request = Wrap ? new Wrap() : {}; request.oncomplete = () => {}; one[method](request, address, ${port}); } catch {}
         setTimeout(() => process.exit(), 300);
       }, 100);`,
    "after built-in prototypes were replaced": ({ port }) =>
      `const net = require("net"); RegExp.prototype.test = () => false; Set.prototype.has = Array.prototype.includes = () => true;
       net.BlockList.prototype.check = () => false; net.isIP = () => 0; Map.prototype.get = () => true;
       try { net.connect(${port}, "127.0.0.1").on("error", () => {}); } catch {}
       setTimeout(() => process.exit(), 300);`,
    "by datagrams": ({ port }) =>
      `const s = require("dgram").createSocket("udp4"); s.on("error", () => {});
       for (const host of ["127.0.0.1", "127.1", "localhost", "0.0.0.0"]) try { s.send("x", ${port}, host, () => {}); } catch {}
       const six = require("dgram").createSocket("udp6"); six.on("error", () => {});
       try { six.send("x", ${port}, "::ffff:127.0.0.1", () => {}); } catch {}
       const c = require("dgram").createSocket("udp4"); c.on("error", () => {});
       try { c.connect(${port}, "127.0.0.1", () => c.send("x")); } catch {}
       setTimeout(() => process.exit(), 300);`,
    "by DNS queries": ({ port }) =>
      tryAll([
        `require("dns").setServers(["127.0.0.1:${port}"])`,
        `require("dns").promises.setServers(["127.0.0.1:${port}"])`,
        `(() => { const r = new (require("dns").Resolver)(); r.setServers(["127.0.0.1:${port}"]); r.resolve4("a.example", () => {}); })()`,
        `(() => { const r = new (require("dns").promises.Resolver)(); r.setServers(["127.0.0.1:${port}"]); r.resolve4("a.example").catch(() => {}); })()`,
        `require("dns").resolve4("a.example", () => {})`,
        "new Promise((r) => setTimeout(() => process.exit(), 300))",
      ]),
  }),
];

/** Attacks of a program without the permission model. */
export const kernel: Attack[] = each("changes the kernel", {
  "its settings": () =>
    tryAll(
      ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger"].map(
        (path) =>
          `(require("fs").writeFileSync(${text(path)}, require("fs").readFileSync(${text(path)})), "changed the kernel")`,
      ),
    ),
  "its devices and mounts": () =>
    tryAll([
      `require("fs").readdirSync("/dev").filter((name) => /^(?:sd|vd|nvme|mem|kmsg|tty\\d)/.test(name)).map(() => "changed the kernel")`,
      `require("fs").readdirSync("/sys").length > 0 && "changed the kernel"`,
    ]),
});

export const attacks: readonly Attack[] = [
  ...reads,
  ...workers,
  ...optionAttacks,
  ...writes,
  ...starts,
  ...kills,
  ...connections,
];
