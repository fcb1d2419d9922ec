#!/usr/bin/env node
import { runBin } from "@operator-path/client/run-bin";

await runBin(import.meta.url, () => import("../dist/container-tool/main.js"));
