import { stripVTControlCharacters } from "node:util";
import { CredentialsError } from "./credential.ts";

const group = "client.authentication.k8s.io";
const execApiVersions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];
/** Under this name a cluster of a kubeconfig says what its exec plugins are to know of it. */
export const execExtension = `${group}/exec`;

const interactiveModes = ["Never", "IfAvailable", "Always"] as const;

/** `exec` of a user in a kubeconfig, checked (client-go: api.ExecConfig). */
export interface ExecConfig {
  /** The user's name: what errors speak of. */
  readonly user: string;
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the process's own environment; the last of a name counts. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** What to do when the command is not there. One line or more, without escape sequences. */
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: (typeof interactiveModes)[number];
}

/**
 * Checks `exec` as client-go does (clientcmd.ConfirmUsable).
 *
 * @throws CredentialsError that names the user, and the field
 */
export function execConfig(user: string, exec: unknown): ExecConfig {
  const refuse = (what: string) =>
    new CredentialsError(`the exec plugin of the kubeconfig's user ${JSON.stringify(user)} ${what}`);
  if (typeof exec !== "object" || exec === null) throw refuse("is no mapping: give it a command");
  const { apiVersion, command, args, env, installHint, interactiveMode, provideClusterInfo } =
    exec as Partial<Record<string, unknown>>;
  if (typeof command !== "string" || command === "") throw refuse("has no command: name the program to run");
  if (typeof apiVersion !== "string" || !execApiVersions.includes(apiVersion)) {
    const has =
      apiVersion === undefined ? "has no apiVersion" : `has the apiVersion ${JSON.stringify(apiVersion)}`;
    throw refuse(`${has}: give it ${execApiVersions.join(" or ")}, whichever ${command} answers with`);
  }
  if (!isList(args, (arg): arg is string => typeof arg === "string")) {
    throw refuse("has args that are no list of texts: quote numbers and the like");
  }
  if (!isList(env, isVariable)) throw refuse("has an env that is no list of name and value, both texts");
  // v1beta1 knew no interactiveMode at first.
  const mode = interactiveMode || (apiVersion.endsWith("/v1beta1") ? "IfAvailable" : undefined);
  const known = interactiveModes.find((each) => each === mode);
  if (!known) {
    const has =
      mode === undefined ? "has no interactiveMode" : `has the interactiveMode ${JSON.stringify(mode)}`;
    throw refuse(
      `${has}: give it Never, IfAvailable or Always, for whether it may ask somebody at a terminal`,
    );
  }
  return {
    ...{ user, apiVersion, command, interactiveMode: known, provideClusterInfo: provideClusterInfo === true },
    args: args ?? [],
    env: env ?? [],
    ...(typeof installHint === "string" && installHint !== ""
      ? { installHint: stripVTControlCharacters(installHint).trim() }
      : {}),
  };
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] | undefined | null {
  return value === undefined || value === null || (Array.isArray(value) && value.every(isItem));
}

function isVariable(item: unknown): item is { name: string; value: string } {
  const { name, value } = (item ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === "string" && name !== "" && typeof value === "string";
}
