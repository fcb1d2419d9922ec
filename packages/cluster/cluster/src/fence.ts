import type { FenceChoice, FenceReport } from "@operator-path/kubelet";
import { UserError } from "./user-error.ts";

const choices: readonly FenceChoice[] = ["best", "bubblewrap", "namespaces", "node"];

/**
 * Reads the sandbox of Pods from a cluster's environment. Pods cannot change it.
 *
 * @throws UserError
 */
export function fenceChoice({ OPERATOR_PATH_FENCE: text = "best" }: NodeJS.ProcessEnv): FenceChoice {
  const choice = choices.find((one) => one === text);
  if (choice) return choice;
  throw new UserError(`OPERATOR_PATH_FENCE is "${text}" (expected one of ${choices.join(", ")})`);
}

const tools = { bubblewrap: "bubblewrap", namespaces: "Linux namespaces", node: "Node" };

/** Describes in words what isolates the processes of Pods, one line each. */
export function describeFence({ kind, reason }: FenceReport): string[] {
  if (kind === "node") {
    return [
      "fence: Node's permission model alone. It stops mistakes, but not a program that wants to get out.",
      ...(reason === undefined ? [] : [`  Why: ${reason}`]),
      "  Run only images whose code you would run with node yourself.",
    ];
  }
  return [
    `fence: the operating system (${tools[kind]}), and Node's permission model inside it. A Pod sees its own files and`,
    "  processes and nothing else of this machine, but it shares this machine's network.",
  ];
}
