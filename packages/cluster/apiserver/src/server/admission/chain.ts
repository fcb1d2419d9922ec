import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "./admission.ts";

/**
 * All plugins, in order. A function returns undefined when no plugin had to wait. So a write without webhooks
 * is not interleaved with others.
 */
export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void> | undefined;
  validate(attributes: AdmissionAttributes): Promise<void> | undefined;
  charge(attributes: AdmissionAttributes): (() => void) | undefined;
}

/**
 * Returns the chain. The first refusal ends it. An object that webhooks or policies have changed passes
 * through it a second time.
 */
export function createAdmission(plugins: readonly AdmissionPlugin[], context: AdmissionContext): Admission {
  const mutate = chainOf(plugins, "mutate", context);
  const mutateAgain = (attributes: AdmissionAttributes) => {
    const { reinvocation } = attributes;
    if (reinvocation?.wanted !== true) return undefined;
    reinvocation.round = 1;
    return mutate(attributes);
  };
  return {
    // Only plugins that wait can request a second round.
    mutate: (attributes) => mutate(attributes)?.then(() => mutateAgain(attributes)),
    validate: chainOf(plugins, "validate", context),
    charge: chargesOf(plugins, context),
  };
}

function chargesOf(plugins: readonly AdmissionPlugin[], context: AdmissionContext): Admission["charge"] {
  const charging = plugins.filter((plugin) => plugin.charge !== undefined);
  return (attributes) => {
    const charges = charging.flatMap((plugin) => plugin.charge?.(attributes, context) ?? []);
    if (charges.length === 0) return undefined;
    return () => {
      for (const charge of charges) charge();
    };
  };
}

function chainOf(
  plugins: readonly AdmissionPlugin[],
  phase: "mutate" | "validate",
  context: AdmissionContext,
) {
  const steps = plugins.filter((plugin) => plugin[phase] !== undefined);
  const run = (from: number, attributes: AdmissionAttributes): Promise<void> | undefined => {
    for (let index = from; index < steps.length; index++) {
      const pending = steps[index]?.[phase]?.(attributes, context);
      if (pending !== undefined) return pending.then(() => run(index + 1, attributes));
    }
    return undefined;
  };
  return (attributes: AdmissionAttributes) => run(0, attributes);
}
