import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quote } from "@operator-path/tools";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  openWatched,
  prefix,
  type ShellName,
  sets,
  shells,
  startupFiles,
  useShellBench,
  whySkipped,
} from "../testing/shell-bench.ts";
import { until } from "../testing/until.ts";
import { createLearnerEnvironment } from "./learner-environment.ts";
import { fishQuote } from "./terminal-environment.ts";

const bench = useShellBench();

describe.each(Object.keys(shells) as ShellName[])("a learner's %s", (name) => {
  it.skipIf(shells[name] === undefined)(
    `keeps the tutorial's cluster and Node after hostile startup files${whySkipped(name)}`,
    async () => {
      const { home, kubectl } = bench;
      const lines = [
        sets(name, "KUBECONFIG", "$HOME/prod"),
        sets(name, "HELM_KUBEAPISERVER", bench.foreign.url),
        // As nvm and other version managers do.
        name === "fish" ? 'set -gx PATH "$HOME/old/bin" $PATH' : 'export PATH="$HOME/old/bin:$PATH"',
        name === "fish" ? "function node; echo v12.0.0; end" : "node() { echo v12.0.0; }",
        `alias kubectl='${kubectl} --kubeconfig "$HOME/prod"'`,
        `alias k='${kubectl} --kubeconfig "$HOME/prod"'`,
        "alias cd='echo no'",
      ];
      for (const file of [startupFiles[name], ".profile", ".zshenv", ".zprofile"])
        await home.write(file, `${lines.join("\n")}\n`);
      using terminal = await bench.open(name);
      await terminal.shows(prefix);
      await bench.use(terminal, name);
    },
  );
});

describe.each(Object.keys(shells) as ShellName[])(
  "another terminal with %s, opened before the page has made its folder",
  (name) => {
    it.skipIf(shells[name] === undefined)(
      `is in the folder once it exists, or says what to do${whySkipped(name)}`,
      async () => {
        const beside = join(bench.home.folder, "work");
        const folder = join(beside, "project");
        await mkdir(beside);
        const { environmentFile, fishFile } = await bench.writeFiles(folder, beside);
        using terminal = bench.openOwn(name);
        terminal.type(name === "fish" ? `source ${fishQuote(fishFile)}\r` : `. ${quote(environmentFile)}\r`);
        await terminal.shows(`The page has not made ${folder} yet.`);
        await terminal.shows(prefix);
        terminal.type("echo at-$PWD-\r");
        await terminal.shows(`at-${beside}-`);
        await mkdir(folder);
        if (name === "sh") {
          const [, command = ""] = /type: (cd [^\r]+)/.exec(terminal.screen()) ?? [];
          terminal.type(`${command}\r`);
        } else terminal.type("\r");
        await until(() => {
          terminal.type("echo at-$PWD-\r");
          return terminal.screen().includes(`at-${folder}-`);
        });
        // It goes there once, and not against the learner's will.
        terminal.type("cd ..\r\r");
        terminal.type("echo now-$PWD-\r");
        await terminal.shows(`now-${beside}-`);
      },
    );
  },
);

describe.each(["bash", "zsh", "fish"] as const)(
  "a terminal with %s that is older than the session",
  (name) => {
    it.skipIf(shells[name] === undefined)(
      `says that its session is over, and goes on with the next one${whySkipped(name)}`,
      async () => {
        const { home, cluster } = bench;
        const [folder, first, second] = ["work/project", "first", "second"].map((one) =>
          join(home.folder, one),
        );
        if (folder === undefined || first === undefined || second === undefined)
          throw new Error("unreachable");
        await mkdir(join(folder, "src"), { recursive: true });
        const open = async (kubeconfig: string) => {
          await cp(cluster.kubeconfigPath, kubeconfig);
          return bench.writeFiles(folder, join(folder, ".."), kubeconfig);
        };
        const files = await open(first);
        using terminal = bench.openOwn(name);
        terminal.type(
          name === "fish"
            ? `source ${fishQuote(files.fishFile)}; cd src\r`
            : `. ${quote(files.environmentFile)}; cd src\r`,
        );
        await terminal.shows(prefix);
        terminal.type("echo at-$PWD-$KUBECONFIG-\r");
        await terminal.shows(`at-${folder}/src-${first}-`);
        await Promise.all([first, files.environmentFile, files.fishFile].map((file) => rm(file)));
        terminal.type("\r\r");
        await terminal.shows("This terminal's session is over.");
        await open(second);
        terminal.type("\r");
        await terminal.shows("The cluster was restarted. This terminal uses the new one now. If");
        expect(terminal.screen().match(/session is over/g)).toHaveLength(1);
        terminal.type("echo now-$PWD-$KUBECONFIG-\r");
        await terminal.shows(`now-${folder}/src-${second}-`);
        await bench.use(terminal, name);

        // "Start over" moves the folder aside.
        await rename(folder, `${folder}-aside`);
        await mkdir(folder);
        await rm(second);
        await open(first);
        terminal.type("\r");
        await until(() => {
          terminal.type("echo anew-$PWD-$KUBECONFIG-\r");
          return terminal.screen().includes(`anew-${folder}-${first}-`);
        });

        // A session of another tutorial begins.
        const other = join(home.folder, "other");
        await mkdir(other);
        await Promise.all(
          [first, ...["sh", "fish"].map((one) => join(folder, `../.latest-env.${one}`))].map((file) =>
            rm(file),
          ),
        );
        await cp(cluster.kubeconfigPath, second);
        const { fishFile } = await bench.writeFiles(folder, other, second);
        terminal.type("\r\r");
        const link = join(dirname(fishFile), ".latest-env");
        const command = name === "fish" ? `source ${fishQuote(`${link}.fish`)}` : `. ${quote(`${link}.sh`)}`;
        await terminal.shows("a session of another tutorial has started.");
        await terminal.shows(`To use that one here, type: ${command}`);
        terminal.type(`${command}; echo then-$KUBECONFIG-\r`);
        await terminal.shows(`then-${second}-`);
        await bench.use(terminal, name);
        expect(terminal.screen().match(/of another tutorial/g)).toHaveLength(1);
      },
    );
  },
);

it.each([
  { chosen: "", own: "~/.../project", pages: "~/.../tutorials/01-a/project" },
  { chosen: "PROMPT_DIRTRIM=2", own: "~/.../work/project", pages: "~/.../01-a/project" },
])(
  "bash's prompt tells the page's folder from the learner's, whose name is the same ($chosen)",
  async (row) => {
    const { home } = bench;
    const [own, pages] = ["learner/folders/work/project", "learner/folders/tutorials/01-a/project"].map(
      (one) => join(home.folder, one),
    );
    for (const folder of [own, pages]) await mkdir(folder ?? "", { recursive: true });
    const tutorial = dirname(pages ?? "");
    await home.write(".bashrc", `PS1='at \\w> '\nexport TUTORIAL=${quote(tutorial)}\n${row.chosen}\n`);
    using terminal = await bench.open("bash");
    await terminal.shows(prefix);
    terminal.type(`cd ${quote(own ?? "")}\r`);
    await terminal.shows(`at ${row.own}> `);
    terminal.type(`cd ${quote(pages ?? "")}\r`);
    await terminal.shows(`at ${row.pages}> `);
  },
);

it.each(["nu", "tcsh"])("names an unknown shell (%s), and uses bash", async (name) => {
  const { home } = bench;
  await home.write(name, "");
  const shell = await bench.prepare(join(home.folder, name));
  expect(shell.note).toMatch(new RegExp(`cannot set up ${name}: it supports bash, zsh, fish and sh`));
  using terminal = openWatched(shell.program, shell.args, shell.env);
  await terminal.shows(prefix);
});

it("names a missing SHELL, and uses sh without bash", async () => {
  const shell = await bench.prepare("/no/shell", { PATH: bench.environment.bin });
  const note = "Your shell /no/shell does not exist. This one is /bin/sh.";
  expect(shell).toMatchObject({ note, program: "/bin/sh" });
});

it("runs its own commands without exported functions and startup files of bash", async () => {
  const { home, kubectl, cluster } = bench;
  const hostile = { BASH_ENV: join(home.folder, "bashenv"), "BASH_FUNC_kubectl%%": "() { echo prod; }" };
  await home.write("bashenv", 'export KUBECONFIG="$HOME/prod"\n');
  Object.assign(process.env, hostile);
  onTestFinished(() => {
    for (const name of Object.keys(hostile)) delete process.env[name];
  });
  const { env } = await createLearnerEnvironment({
    ...{ bin: join(home.folder, "bin"), kubectl, containerTool: "/no/container-tool", pnpm: undefined },
    variables: { KUBECONFIG: cluster.kubeconfigPath },
  });
  const own = { ...env, HOME: home.folder };
  const { stdout } = await execa("bash", ["-c", "kubectl config current-context"], {
    env: own,
    extendEnv: false,
  });
  expect(stdout).toBe("operator-path");
});
