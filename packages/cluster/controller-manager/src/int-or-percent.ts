/**
 * An IntOrString as a number: 3 is 3, "25%" is a share of `total`. Throws on anything else.
 * (k8s.io/apimachinery: intstr.GetScaledValueFromIntOrPercent.)
 */
export function scaledValue(value: number | string, total: number, round: (share: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage: ${value}`);
  return round((Number(percent) * total) / 100);
}
