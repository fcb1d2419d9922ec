import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "./admission.ts";

/**
 * All plugins, in order. They answer undefined when none had to wait, so that a write that nobody looks at is not
 * interrupted by another one.
 */
export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void> | undefined;
  validate(attributes: AdmissionAttributes): Promise<void> | undefined;
  charge(attributes: AdmissionAttributes): (() => void) | undefined;
}

/** The first that refuses ends the chain. What webhooks or policies have changed goes through it a second time. */
export function createAdmission(plugins: readonly AdmissionPlugin[], context: AdmissionContext): Admission {
  const mutate = chainOf(plugins, "mutate", context);
  const mutateAgain = (attributes: AdmissionAttributes) => {
    const { reinvocation } = attributes;
    if (reinvocation?.wanted !== true) return undefined;
    reinvocation.round = 1;
    return mutate(attributes);
  };
  return {
    // Those that ask for a second round have waited for somebody.
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
