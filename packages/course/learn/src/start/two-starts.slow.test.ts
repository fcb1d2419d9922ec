import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findPnpm } from "@operator-path/walkthrough";
import { expect, it, onTestFinished } from "vitest";
import { openHome } from "../testing/home.ts";
import { kubeconfigOf } from "../testing/hostile-home.ts";
import { shells } from "../testing/shell-bench.ts";
import type { Terminal } from "../testing/terminal.ts";

const page = "02-memcached-operator/1";
const other = shells.zsh === undefined ? "sh" : "zsh";

it(`two starts at once, in a bash and a ${other} with hostile startup files, each keep their own cluster`, async () => {
  const starts = await Promise.all([begin("/bin/bash", ".bashrc"), begin(shells[other] ?? "", ".zshrc")]);
  const [first, second] = starts;
  expect(first.server).not.toBe(second.server);
  expect(first.file).not.toBe(second.file);

  await end(first.terminal);
  expect([existsSync(first.file), existsSync(second.file)]).toEqual([false, true]);
  second.terminal.type("kubectl create configmap mine; echo status-$?\r");
  await second.terminal.shows("status-0");
  await end(second.terminal);
  for (const { home } of starts)
    expect((await home.leftovers()).filter((name) => name.startsWith("operator-path"))).toEqual([]);
});

/** Runs `pnpm start` until the learner's shell has shown its cluster and its Node. */
async function begin(shell: string, startupFile: string) {
  const pnpm = findPnpm(process.env)?.at(-1);
  const home = await openHome({ SHELL: shell, ...(pnpm !== undefined && { npm_execpath: pnpm }) });
  onTestFinished(() => home.remove());
  const files = {
    [startupFile]: `export KUBECONFIG="$HOME/prod"\nexport PATH="$HOME:$PATH"\nalias kubectl='kubectl --context prod'\n`,
    // kubectl's preferences, which would give every create another context.
    ".kube/kuberc": JSON.stringify({
      ...{ apiVersion: "kubectl.config.k8s.io/v1beta1", kind: "Preference" },
      defaults: [{ command: "create configmap", options: [{ name: "context", default: "prod" }] }],
    }),
    prod: kubeconfigOf("prod", "https://prod.example.com"),
    node: "#!/bin/sh\necho v12.0.0\n",
  };
  await mkdir(join(home.folder, ".kube"));
  for (const [name, text] of Object.entries(files))
    await writeFile(join(home.folder, name), text, { mode: 0o755 });
  const terminal = home.start(page);
  onTestFinished(() => terminal[Symbol.dispose]());
  await terminal.shows("(operator-path 02) ");
  const seen = "{.current-context}={.clusters[0].cluster.server}";
  terminal.type(`kubectl config view --minify -o 'jsonpath=is-${seen}'; node --version\r`);
  await terminal.shows(new RegExp(`is-operator-path=https[^]*${process.version}\r`));
  const [, server] = /is-operator-path=(https:[\d./]+:\d+)/.exec(terminal.screen()) ?? [];
  const [, file = ""] = /In another terminal: {2}\. (\S+env\.sh)/.exec(terminal.screen()) ?? [];
  expect(existsSync(file)).toBe(true);
  return { home, terminal, server, file };
}

/** Leaves the shell and the menu. */
async function end(terminal: Terminal): Promise<void> {
  terminal.type("exit\r");
  await terminal.shows("Where will you continue next time?");
  terminal.type("\x03");
  await terminal.shows(/brings you back here.*What next\?/s);
  terminal.type("\x03");
  expect(await terminal.ended()).toBe(0);
}
