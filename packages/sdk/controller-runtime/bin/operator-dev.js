#!/usr/bin/env node
import { runOperatorDev } from "@operator-path/controller-runtime/dev";

process.exitCode = await runOperatorDev(process.argv.slice(2));
