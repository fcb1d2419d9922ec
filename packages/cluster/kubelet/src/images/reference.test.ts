import { expect, it } from "vitest";
import { parseImageReference } from "./reference.ts";

it.each([
  ["busybox", "docker.io/library/busybox:latest"],
  ["payment:1.0.0", "docker.io/library/payment:1.0.0"],
  ["team/app", "docker.io/team/app:latest"],
  ["registry:5000/team/busybox:1.36", "registry:5000/team/busybox:1.36"],
  ["localhost/x", "localhost/x:latest"],
  ["ghcr.io/a/b.c_d-e:v1", "ghcr.io/a/b.c_d-e:v1"],
  [`nginx@sha256:${"a".repeat(64)}`, `docker.io/library/nginx@sha256:${"a".repeat(64)}`],
])("%s is %s", (text, name) => {
  expect(parseImageReference(text)?.name).toBe(name);
});

it.each(["", "Busybox", "a b", "busybox:", "a//b", "x@sha256:short", "-x", "http://x/y"])(
  "%j is not a reference",
  (text) => {
    expect(parseImageReference(text)).toBeUndefined();
  },
);
