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
  /** What it is told of the cluster, when its user has `provideClusterInfo`: read as it is started. */
  readonly cluster: () => ExecCluster;
  /** What it inherits. Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether stdin is a terminal. Default: as it is. */
  readonly isTerminal?: () => boolean;
  /** Where people read what it says. Default `process.stderr`. */
  readonly stderr?: Pick<Writable, "write">;
  readonly clock?: Clock;
}

/**
 * The program that has a user's credentials, as client-go runs it (KEP-541; plugin/pkg/client/auth/exec): once for all who ask
 * at the same time, and again when what it has answered has expired, or was refused by the server.
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
      throw new CredentialsError(`${subject(config)} has printed more than 1 MiB: is it an exec plugin?`);
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
    // Another request may have been refused before, and the plugin has been asked since.
    refuse(credential) {
      if (credential === current) current = undefined;
    },
  };
}

/** Whether it gets stdin (client-go: isInteractive). */
function isInteractive(config: ExecConfig, isTerminal: () => boolean): boolean {
  if (config.interactiveMode === "Never") return false;
  const terminal = isTerminal();
  if (config.interactiveMode === "Always" && !terminal) {
    throw new CredentialsError(
      `${subject(config)} has interactiveMode Always, and standard input is not a terminal: log in from one, or give it interactiveMode IfAvailable, if it can do without`,
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
    return new CredentialsError(`${subject(config)} cannot be started: ${code ?? message}: is it a program?`);
  }
  const hint = installHint ? `: ${installHint}` : ", or put it on the PATH";
  return new CredentialsError(`${subject(config)} is not there: install it${hint}`);
}

function failed(config: ExecConfig, { code, killedBy, stderr }: PluginEnd): CredentialsError {
  const how = code === null ? `was ended by ${killedBy}` : `has failed with exit code ${code}`;
  const why = stderr === "" ? "to see what it lacks" : "if what it has said on stderr does not help";
  return new CredentialsError(`${subject(config)} ${how}: log in anew, or run it by hand ${why}`, { stderr });
}
