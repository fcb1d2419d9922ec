import { shapes } from "./shapes.ts";

const objects = shapes.filter(({ binds }) => binds === "object");

/**
 * Replaces names that only the page's own run had by what they stand for: `<any Pod of payment>`. For messages
 * to a person whose Pods have other names.
 */
export function withoutOwnNames(text: string): string {
  return objects.reduce((rest, { name, sample }) => {
    const pattern = new RegExp(`(?<![A-Za-z0-9<])${sample}(?![A-Za-z0-9]|-[A-Za-z0-9])`, "g");
    const kind = name.replace(/ of .*/, "");
    return rest.replaceAll(pattern, (_, of: unknown) =>
      typeof of === "string" ? `<any ${kind} of ${of}>` : `<any ${kind}>`,
    );
  }, text);
}
