import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { type Clock, systemClock } from "../clock.ts";
import type { CredentialSource } from "./credential.ts";
import { CredentialsError } from "./credential.ts";
import type { ExecConfig } from "./exec-config.ts";
import { type ExecAnswer, type ExecCluster, execInfo, readExecCredential } from "./exec-credential.ts";
import { type PluginEnd, runPlugin } from "./run-plugin.ts";
import { shareAttempt } from "./shared-attempt.ts";

export interface ExecPluginOptions {
  /** Returns the cluster for a user with `provideClusterInfo`. Called for each start of the plugin. */
  readonly cluster: () => ExecCluster;
  /** The environment that the plugin inherits. Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Returns whether stdin is a terminal. Default: checks file descriptor 0. */
  readonly isTerminal?: () => boolean;
  /** Receives the plugin's stderr. Default `process.stderr`. */
  readonly stderr?: Pick<Writable, "write">;
  readonly clock?: Clock;
}

/**
 * Runs the plugin of a user as client-go does (KEP-541; plugin/pkg/client/auth/exec). Concurrent requests
 * share one run. It runs again when the credential has expired, or the server has rejected it.
 *
 * It is our own code because client-node's starts one process per concurrent request, has no time limit,
 * does not pass KUBERNETES_EXEC_INFO, and keeps a credential that the server rejects.
 */
export function createExecPlugin(config: ExecConfig, options: ExecPluginOptions): CredentialSource {
  const { env = process.env, stderr = process.stderr, clock = systemClock } = options;
  const { isTerminal = () => isatty(0) } = options;
  const { command, apiVersion } = config;
  let current: ExecAnswer | undefined;

  const ask = shareAttempt(async (signal) => {
    const interactive = isInteractive(config, isTerminal);
    const cluster = config.provideClusterInfo ? { cluster: options.cluster() } : {};
    const own = Object.fromEntries(config.env.map(({ name, value }) => [name, value]));
    const info = execInfo(apiVersion, { interactive, ...cluster });
    const end = await runPlugin({
      ...{ command, args: config.args, interactive, stderr, clock, signal },
      env: { ...env, ...own, KUBERNETES_EXEC_INFO: info },
    }).catch((error: unknown) => {
      throw signal.aborted ? error : notStarted(config, error as NodeJS.ErrnoException);
    });
    if (end.stdout === undefined) {
      throw new CredentialsError(`${subject(config)} printed more than 1 MiB: is it an exec plugin?`);
    }
    if (end.code !== 0) throw failed(config, end);
    try {
      current = readExecCredential(end.stdout, apiVersion);
    } catch (error) {
      throw new CredentialsError(`${subject(config)} ${(error as Error).message}`);
    }
    return current;
  });

  return {
    get(signal) {
      const { expires = Number.POSITIVE_INFINITY } = current ?? {};
      return current && clock.now() <= expires ? current : ask(signal);
    },
    // An older request may report its 401 after the plugin has returned a newer credential.
    refuse(credential) {
      if (credential === current) current = undefined;
    },
  };
}

/** Returns whether the plugin inherits stdin (client-go: isInteractive). */
function isInteractive(config: ExecConfig, isTerminal: () => boolean): boolean {
  if (config.interactiveMode === "Never") return false;
  const terminal = isTerminal();
  if (config.interactiveMode === "Always" && !terminal) {
    throw new CredentialsError(
      `${subject(config)} has interactiveMode Always, but standard input is not a terminal: log in from a terminal, or set interactiveMode to IfAvailable if the plugin does not need one`,
    );
  }
  return terminal;
}

function subject({ user, command }: ExecConfig): string {
  return `the exec plugin ${JSON.stringify(command)} of the kubeconfig's user ${JSON.stringify(user)}`;
}

function notStarted(config: ExecConfig, { code, message }: NodeJS.ErrnoException): CredentialsError {
  const { installHint } = config;
  if (code !== "ENOENT") {
    return new CredentialsError(
      `${subject(config)} cannot be started: ${code ?? message}: is it an executable file?`,
    );
  }
  const hint = installHint ? `: ${installHint}` : ", or put it on the PATH";
  return new CredentialsError(`${subject(config)} was not found: install it${hint}`);
}

function failed(config: ExecConfig, { code, killedBy, stderr }: PluginEnd): CredentialsError {
  const how = code === null ? `was killed by ${killedBy}` : `failed with exit code ${code}`;
  const why = stderr === "" ? "to see why" : "if its output on stderr does not help";
  return new CredentialsError(`${subject(config)} ${how}: log in again, or run it by hand ${why}`, {
    stderr,
  });
}
