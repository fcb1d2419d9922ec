/** esbuild bundles style sheets. TypeScript knows nothing of them. */
declare module "*.css";
