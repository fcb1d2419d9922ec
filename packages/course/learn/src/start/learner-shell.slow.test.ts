import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  prefix,
  type ShellName,
  sets,
  shells,
  startupFiles,
  useShellBench,
  whySkipped,
} from "../testing/shell-bench.ts";

const bench = useShellBench();
const names = Object.keys(shells) as ShellName[];

describe.each(names)("a learner's %s", (name) => {
  const missing = shells[name] === undefined;
  const why = whySkipped(name);

  // Other POSIX shells run no hook before a prompt.
  it.skipIf(missing || name === "sh")(
    `keeps cluster and Node when something sets the environment at each prompt${why}`,
    async () => {
      const path =
        name === "fish" ? 'set -gx PATH "$HOME/old/bin" $PATH' : 'export PATH="$HOME/old/bin:$PATH"';
      const hostile = `${sets(name, "KUBECONFIG", "$HOME/prod")}; ${path}`;
      const hooks = {
        bash: `hostile() { PS1=mine:; ${hostile}; }; PROMPT_COMMAND=hostile`,
        zsh: `precmd() { PS1=mine:; ${hostile} }; preexec() { ${hostile} }`,
        fish: `function hostile --on-event fish_prompt --on-event fish_preexec; ${hostile}; end`,
        sh: "",
      };
      await bench.home.write(startupFiles[name], `${hooks[name]}\n`);
      using terminal = await bench.open(name);
      await terminal.shows(prefix);
      await bench.use(terminal, name);
      await bench.use(terminal, name);
      await terminal.shows("KUBECONFIG is set back at each prompt");
    },
  );

  it.skipIf(missing)(`ends before its first prompt when its kubectl goes elsewhere${why}`, async () => {
    const { cluster, foreign, home } = bench;
    const readOnly = {
      bash: 'readonly KUBECONFIG="$HOME/prod"',
      zsh: 'typeset -rx KUBECONFIG="$HOME/prod"',
      // fish has no read-only variables.
      fish: "ln -sf $HOME/old/bin/kubectl $HOME/session/bin/kubectl",
      sh: 'readonly KUBECONFIG="$HOME/prod"; export KUBECONFIG',
    };
    await home.write(startupFiles[name], `${readOnly[name]}\n`);
    using terminal = await bench.open(name);
    expect(await terminal.ended()).not.toBe(0);
    const screen = terminal.screen();
    expect(screen).toContain(`its kubectl should show operator-path at ${cluster.url}, but shows prod at `);
    expect(screen).not.toContain(prefix);
    expect(foreign.connections()).toBe(0);
  });

  it.skipIf(missing)(
    `of another terminal stays as it was when its kubectl goes elsewhere${why}`,
    async () => {
      const { environment, files, home } = bench;
      await home.write(
        startupFiles[name],
        `${sets(name, "KUBECONFIG", "$HOME/prod")}\nalias k='echo my k'\n`,
      );
      const kubectl = join(environment.bin, "kubectl");
      await rm(kubectl);
      await symlink(join(home.oldBin, "kubectl"), kubectl);
      using terminal = bench.openOwn(name);
      terminal.type(name === "fish" ? `source "${files.fishFile}"\r` : `. "${files.environmentFile}"\r`);
      await terminal.shows("Nothing was changed");
      terminal.type("k; echo one\r");
      await terminal.shows(/my k\r?\none/);
      terminal.type(`echo "[$KUBECONFIG]"; echo "$PATH" | grep -c "${environment.bin}"; echo two\r`);
      await terminal.shows(new RegExp(`\\[${home.folder}/prod\\]\\s+0\\s+two`));
      expect(terminal.screen()).not.toContain(prefix);
    },
  );

  it.skipIf(missing)(`of another terminal becomes the session's by sourcing its file${why}`, async () => {
    const { files, home, kubectl } = bench;
    const lines = [
      sets(name, "KUBECONFIG", "$HOME/prod"),
      `alias kubectl='${kubectl} --kubeconfig "$HOME/prod"'`,
    ];
    await home.write(startupFiles[name], `${lines.join("\n")}\n`);
    using terminal = bench.openOwn(name);
    terminal.type(name === "fish" ? `source "${files.fishFile}"\r` : `. "${files.environmentFile}"\r`);
    await terminal.shows(prefix);
    await bench.use(terminal, name);
  });
});

it.skipIf(shells.fish === undefined)(
  `a fish whose function changes KUBECONFIG back must be closed${whySkipped("fish")}`,
  async () => {
    const hostile = 'test "$KUBECONFIG" = $HOME/prod; or set -gx KUBECONFIG $HOME/prod';
    await bench.home.write(startupFiles.fish, `function hostile --on-variable KUBECONFIG; ${hostile}; end\n`);
    using terminal = bench.openOwn("fish");
    terminal.type(`source "${bench.files.fishFile}"\r`);
    await terminal.shows("changes its environment. Close it.");
    terminal.type("echo answer'ed'\r");
    await terminal.shows("answered");
    expect(terminal.screen()).not.toContain(prefix);
    expect(terminal.screen()).not.toContain("Nothing was changed");
  },
);

describe.each([
  ["a read-only variable", "readonly X=1\nexport X=2\n"],
  ["an unset variable", `echo ${"$"}{nope:?is missing}\n`],
  ["a syntax error", "if then (\n"],
])("a startup file that stops at %s", (_what, mistake) => {
  it.each(names.filter((name) => name !== "fish" && shells[name] !== undefined))(
    "does not keep the session's environment from %s",
    async (name) => {
      await bench.home.write(startupFiles[name], `${sets(name, "KUBECONFIG", "$HOME/prod")}\n${mistake}`);
      using terminal = await bench.open(name);
      await terminal.shows(prefix);
      await bench.use(terminal, name);
    },
  );
});

it.skipIf(shells.zsh === undefined)(
  `a zsh reads the files of the folder that .zshenv names, and keeps its history there${whySkipped("zsh")}`,
  async () => {
    const { home } = bench;
    await home.write(".zshenv", 'export ZDOTDIR="$HOME/zsh"\n');
    await home.write("zsh/.zshrc", "MINE=read\n");
    using terminal = await bench.open("zsh");
    await terminal.shows(prefix);
    terminal.type('echo "$MINE-$ZDOTDIR-$HISTFILE."\r');
    await terminal.shows(new RegExp(`read-${home.folder}/zsh-(${home.folder}/zsh/.zsh_history)?\\.`));
  },
);
