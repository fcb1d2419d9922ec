import { stripVTControlCharacters } from "node:util";
import { CredentialsError } from "./credential.ts";

const group = "client.authentication.k8s.io";
const execApiVersions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];
/** The name of the extension with which a cluster in a kubeconfig passes data to its exec plugins. */
export const execExtension = `${group}/exec`;

const interactiveModes = ["Never", "IfAvailable", "Always"] as const;

/** The validated `exec` of a user in a kubeconfig (client-go: api.ExecConfig). */
export interface ExecConfig {
  /** The user's name, for errors. */
  readonly user: string;
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. If a name occurs twice, the last value counts. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** How to install the command. One line or more, without escape sequences. */
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: (typeof interactiveModes)[number];
}

/**
 * Validates `exec` as client-go does (clientcmd.ConfirmUsable).
 *
 * @throws CredentialsError that names the user and the field
 */
export function execConfig(user: string, exec: unknown): ExecConfig {
  const refuse = (what: string) =>
    new CredentialsError(`the exec plugin of the kubeconfig's user ${JSON.stringify(user)} ${what}`);
  if (typeof exec !== "object" || exec === null) throw refuse("is not a mapping: give it a command");
  const { apiVersion, command, args, env, installHint, interactiveMode, provideClusterInfo } =
    exec as Partial<Record<string, unknown>>;
  if (typeof command !== "string" || command === "") throw refuse("has no command: name the program to run");
  if (typeof apiVersion !== "string" || !execApiVersions.includes(apiVersion)) {
    const has =
      apiVersion === undefined ? "has no apiVersion" : `has the apiVersion ${JSON.stringify(apiVersion)}`;
    throw refuse(`${has}: set it to ${execApiVersions.join(" or ")}, whichever ${command} answers with`);
  }
  if (!isList(args, (arg): arg is string => typeof arg === "string")) {
    throw refuse("has args that are not a list of strings: quote numbers and booleans");
  }
  if (!isList(env, isVariable)) throw refuse("has an env that is not a list of name and value (strings)");
  // The first releases of v1beta1 had no interactiveMode.
  const mode = interactiveMode || (apiVersion.endsWith("/v1beta1") ? "IfAvailable" : undefined);
  const known = interactiveModes.find((each) => each === mode);
  if (!known) {
    const has =
      mode === undefined ? "has no interactiveMode" : `has the interactiveMode ${JSON.stringify(mode)}`;
    throw refuse(
      `${has}: set it to Never, IfAvailable or Always (whether the plugin may prompt in a terminal)`,
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
