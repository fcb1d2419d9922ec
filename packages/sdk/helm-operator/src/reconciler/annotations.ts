import type { KubeObject } from "@operator-path/client";

/** Names of the annotations that tell helm how to act for one object, as helm-operator-plugins has them. */
export const helmAnnotations = {
  installDisableHooks: "helm.sdk.operatorframework.io/install-disable-hooks",
  upgradeDisableHooks: "helm.sdk.operatorframework.io/upgrade-disable-hooks",
  uninstallDisableHooks: "helm.sdk.operatorframework.io/uninstall-disable-hooks",
  installDescription: "helm.sdk.operatorframework.io/install-description",
  upgradeDescription: "helm.sdk.operatorframework.io/upgrade-description",
  uninstallDescription: "helm.sdk.operatorframework.io/uninstall-description",
  /** Objects that cannot be changed are replaced: `helm upgrade --force-replace`. */
  upgradeForce: "helm.sdk.operatorframework.io/upgrade-force",
} as const;

export type HelmAnnotationNames = { readonly [Name in keyof typeof helmAnnotations]: string };

/** What helm is told for one operation. */
export interface OperationOptions {
  disableHooks?: boolean | undefined;
  description?: string | undefined;
}

export interface AnnotatedOptions {
  install: OperationOptions;
  upgrade: OperationOptions & { force?: boolean };
  uninstall: OperationOptions;
}

/** What the annotations of an object ask for. Of what is no boolean ("yes", "") nothing is thought, as in Go. */
export function annotatedOptions(
  { metadata }: KubeObject,
  names: HelmAnnotationNames = helmAnnotations,
): AnnotatedOptions {
  const { annotations = {} } = metadata ?? {};
  const text = (name: string) => (Object.hasOwn(annotations, name) ? annotations[name] : undefined);
  const flag = (name: string) => trueTexts.has(text(name) ?? "");
  const operation = (disableHooks: string, description: string): OperationOptions => {
    const said = text(description);
    return {
      ...(flag(disableHooks) ? { disableHooks: true } : {}),
      ...(said ? { description: said } : {}),
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

/** What Go's strconv.ParseBool takes for true. */
const trueTexts = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** A handler for the option `isPaused`: objects with this annotation set to "true" are left alone. */
export function pausedByAnnotation(name: string): (object: KubeObject) => boolean {
  return ({ metadata }) => trueTexts.has(metadata?.annotations?.[name] ?? "");
}
