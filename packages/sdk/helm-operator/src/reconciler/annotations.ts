import type { KubeObject } from "@operator-path/client";

/** Annotations that set helm's options for one object, with the names that helm-operator-plugins uses. */
export const helmAnnotations = {
  installDisableHooks: "helm.sdk.operatorframework.io/install-disable-hooks",
  upgradeDisableHooks: "helm.sdk.operatorframework.io/upgrade-disable-hooks",
  uninstallDisableHooks: "helm.sdk.operatorframework.io/uninstall-disable-hooks",
  installDescription: "helm.sdk.operatorframework.io/install-description",
  upgradeDescription: "helm.sdk.operatorframework.io/upgrade-description",
  uninstallDescription: "helm.sdk.operatorframework.io/uninstall-description",
  /** Replaces objects instead of patching them: `helm upgrade --force-replace`. */
  upgradeForce: "helm.sdk.operatorframework.io/upgrade-force",
} as const;

/** The names of the annotations in {@link helmAnnotations}, which an operator may replace by its own. */
export type HelmAnnotationNames = { readonly [Name in keyof typeof helmAnnotations]: string };

/** Options that an object's annotations set for one helm operation. */
export interface OperationOptions {
  disableHooks?: boolean | undefined;
  description?: string | undefined;
}

/** The options that an object's annotations set, for each helm operation. */
export interface AnnotatedOptions {
  install: OperationOptions;
  upgrade: OperationOptions & { force?: boolean };
  uninstall: OperationOptions;
}

/** Returns the options that an object's annotations set. As in Go, ignores texts that are not booleans. */
export function annotatedOptions(
  { metadata }: KubeObject,
  names: HelmAnnotationNames = helmAnnotations,
): AnnotatedOptions {
  const { annotations = {} } = metadata ?? {};
  const text = (name: string) => (Object.hasOwn(annotations, name) ? annotations[name] : undefined);
  const flag = (name: string) => trueTexts.has(text(name) ?? "");
  const operation = (disableHooks: string, description: string): OperationOptions => {
    const given = text(description);
    return {
      ...(flag(disableHooks) ? { disableHooks: true } : {}),
      ...(given ? { description: given } : {}),
    };
  };
  return {
    install: operation(names.installDisableHooks, names.installDescription),
    upgrade: {
      ...operation(names.upgradeDisableHooks, names.upgradeDescription),
      ...(flag(names.upgradeForce) ? { force: true } : {}),
    },
    uninstall: operation(names.uninstallDisableHooks, names.uninstallDescription),
  };
}

/** The texts that Go's strconv.ParseBool reads as true. */
const trueTexts = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/**
 * Returns a handler for the option `isPaused`. It pauses objects whose annotation `name` is "true" (or
 * another text that Go's strconv.ParseBool reads as true).
 */
export function pausedByAnnotation(name: string): (object: KubeObject) => boolean {
  return ({ metadata }) => trueTexts.has(metadata?.annotations?.[name] ?? "");
}
