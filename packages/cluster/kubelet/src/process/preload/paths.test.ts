import fc from "fast-check";
import { expect, it } from "vitest";
import { createPaths } from "./paths.ts";

const root = "/pods/c1/root";
const paths = createPaths({
  root,
  mounts: [
    ["/etc/settings/deep", "/pods/volumes/2-deep"],
    ["/etc/settings", "/pods/volumes/1-settings"],
  ],
  visible: ["/project/node_modules", "/pods/volumes/1-settings", "/pods/volumes/2-deep"],
});

it.each([
  ["/etc/passwd", `${root}/etc/passwd`],
  ["/", `${root}/`],
  ["/app/../etc/passwd", `${root}/etc/passwd`],
  ["/../../etc/passwd", `${root}/etc/passwd`],
  ["/tmp/", `${root}/tmp/`],
  ["/etc/settings", "/pods/volumes/1-settings"],
  ["/etc/settings/key", "/pods/volumes/1-settings/key"],
  ["/etc/settings/deep/key", "/pods/volumes/2-deep/key"],
  ["/etc/settings-not", `${root}/etc/settings-not`],
  [`${root}/app/main.js`, `${root}/app/main.js`],
  [`${root}/etc/settings/key`, "/pods/volumes/1-settings/key"],
  ["/project/node_modules/a/index.js", "/project/node_modules/a/index.js"],
  ["/project/secret", `${root}/project/secret`],
  ["/dev/null", "/dev/null"],
  ["relative/path", "relative/path"],
])("%s is %s on the host", (path, host) => {
  expect(paths.toHost(path)).toBe(host);
  expect(paths.toHost(Buffer.from(path)).toString()).toBe(host);
});

it("returns anything else unchanged", () => {
  for (const other of [3, undefined, null, {}]) expect(paths.toHost(other)).toBe(other);
  expect(String(paths.toHost(new URL("file:///etc/x")))).toBe(`file://${root}/etc/x`);
});

it("maps paths only to the root and to visible folders, and back", () => {
  const segment = fc.oneof(fc.constantFrom("..", ".", "etc", "settings", "deep", "project"), fc.string());
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = `/${segments.join("/")}`.replaceAll("\0", "");
      const host = paths.toHost(path);
      const allowed = [root, "/project/node_modules", "/pods/volumes/", "/dev", "/proc"];
      expect(allowed.some((folder) => host.startsWith(folder))).toBe(true);
      // A path of the host is not mapped again.
      expect(paths.toHost(host).replace(/\/$/, "")).toBe(host.replace(/\/$/, ""));
    }),
  );
  expect(paths.toContainer(`${root}/app/x`)).toBe("/app/x");
  expect(paths.toContainer(root)).toBe("/");
  expect(paths.toContainer("/pods/volumes/2-deep/key")).toBe("/etc/settings/deep/key");
  expect(paths.toContainer("/elsewhere")).toBe("/elsewhere");
});
