// `node build.mjs`: the extension as one file, dist/extension.js. `node build.mjs --test`: each unit test as one in build/.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const test = process.argv.includes("--test");
await build({
  entryPoints: test ? readdirSync("test/unit").filter((name) => name.endsWith(".test.ts")).map((name) => `test/unit/${name}`) : ["src/extension.ts"],
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: !test,
  sourcemap: test ? "inline" : false,
  logLevel: "warning",
  ...(test ? { outdir: "build/unit" } : { outfile: "dist/extension.js" }),
});
