#!/usr/bin/env node
// Older versions of Node end at the first import, with an error that does not name the version.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 19)) await import("../dist/main.js");
else {
  console.error(
    `Error: create-operator needs Node 22.19 or newer, and this is Node ${process.versions.node}`,
  );
  process.exitCode = 1;
}
