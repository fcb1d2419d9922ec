import type { Terminal } from "../terminal/terminal.ts";

/** Where a command says `default` and means the namespace. */
const asked =
  /((?:^|\s)(?:-n|--namespace)(?:=|\s+)|\bnamespace:\s*|"namespace":\s*"|\bnamespaces\/|:serviceaccount:|\.)default(?=\.svc\b|["'/:\s;,&|)}]|$)/gm;

/**
 * A terminal for a page whose `default` is another namespace: commands go to that one, and what they print reads `default`.
 *
 * @param namespace a name that is nowhere but in this run
 */
export function inNamespace(terminal: Terminal, namespace: string): Terminal {
  const toOwn = (text: string): string =>
    text.replaceAll(asked, (all, before: string, at: number) =>
      // `.default` is the namespace in a Service's name alone.
      before === "." && !text.slice(at + all.length).startsWith(".svc") ? all : `${before}${namespace}`,
    );
  return {
    ...terminal,
    start: (command) => terminal.start(toOwn(command)),
    type: (text) => terminal.type(toOwn(text)),
    lines: () => terminal.lines().map((line) => line.replaceAll(namespace, "default")),
  };
}
