#!/usr/bin/env node
// Older versions of Node end at the first import, with an error that does not name the version.
const major = Number(process.versions.node.split(".")[0]);
if (major >= 24) await import("../dist/main.js");
else {
  console.error(
    `error: operator-path needs Node 24 or newer, and this is Node ${process.versions.node}: install a newer one, in this folder alone with \`npm install node@24\``,
  );
  process.exitCode = 1;
}
