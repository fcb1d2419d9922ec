export { benchStartup, type StartupOptions } from "./startup.ts";
