import { verifyPages, terminalReporter } from "@operator-path/walkthrough";
const r = await verifyPages(process.argv.slice(2), { root: process.cwd(), reporter: terminalReporter(process.stdout as never), keep: true });
