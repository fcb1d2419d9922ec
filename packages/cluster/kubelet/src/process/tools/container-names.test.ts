import fc from "fast-check";
import { expect, it } from "vitest";
import { containerNames } from "./container-names.ts";

const settings = { root: "/pods/ab/root", mounts: [["/etc/ünï", "/pods/ab/volumes/1-ünï"]] as const };

function renamed(chunks: readonly Buffer[]): string {
  const names = containerNames(settings);
  return Buffer.concat([...chunks.map((chunk) => names(chunk)), names.end()]).toString();
}

it.each([
  ['path "/pods/ab/root/app/web" not found\n', 'path "/app/web" not found\n'],
  ["/pods/ab/root", "/"],
  ["/pods/ab/volumes/1-ünï/values.yaml: ü", "/etc/ünï/values.yaml: ü"],
  ["/pods/ab/ro", "/pods/ab/ro"],
  ["nothing of it", "nothing of it"],
])("%s", (output, expected) => {
  expect(renamed([Buffer.from(output)])).toBe(expected);
});

it("gives the same result however the output is split", () => {
  const output = Buffer.from("at /pods/ab/root/a, /pods/ab/volumes/1-ünï/b and /pods/ab/roo\n/pods/ab/root/");
  const whole = renamed([output]);
  fc.assert(
    fc.property(fc.array(fc.nat(output.length)), (places) => {
      const cuts = [0, ...places.sort((a, b) => a - b), output.length];
      expect(renamed(cuts.slice(1).map((cut, i) => output.subarray(cuts[i], cut)))).toBe(whole);
    }),
  );
});
