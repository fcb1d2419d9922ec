#!/usr/bin/env node
import { runControllerGen } from "./command/run.ts";

process.exitCode = runControllerGen(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
});
