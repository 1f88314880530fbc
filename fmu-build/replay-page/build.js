// Writes the page of a replay as one HTML file: node build.js [OUTPUT]
// The same sources give the same bytes. Without OUTPUT it is ../view/src/replay/page.html, which the tool
// compiles in and fills at the markers below.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, "../view/src/replay/page.html"));
const MARKERS = ["/*REPLAY-JSON*/null", "REPLAY-BLOB", "REPLAY-TITLE"];

const read = (path) => readFileSync(join(here, path), "utf8").replaceAll("\r\n", "\n");

async function bundle(entry, loader) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome100", "firefox115", "safari16.4"],
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    loader,
  });
  return result.outputFiles[0].text.trim();
}

/** The page with each `<!--NAME-->` of the template replaced once. */
function fill(template, parts) {
  return Object.entries(parts).reduce((page, [name, text]) => {
    const pieces = page.split(`<!--${name}-->`);
    if (pieces.length !== 2) throw new Error(`page.html has ${name} ${pieces.length - 1} times`);
    return pieces.join(text);
  }, template);
}

const script = await bundle("src/main.js", { ".glsl": "text" });
const style = await bundle("src/page.css", {});
// A browser would end the element there, or read on behind its end.
for (const mark of ["</script", "<!--", "<script"]) {
  if (script.toLowerCase().includes(mark)) throw new Error(`the script contains ${mark}`);
}
const license = read("node_modules/three/LICENSE").trim();
const version = JSON.parse(read("node_modules/three/package.json")).version;
const page = fill(read("src/page.html"), {
  LICENSE: `<!--\nThis page contains three.js ${version} (https://threejs.org):\n\n${license}\n-->`,
  STYLE: `<style>${style}</style>`,
  SCRIPT: `<script>${script}</script>`,
});
for (const marker of MARKERS) {
  const count = page.split(marker).length - 1;
  if (count !== 1) throw new Error(`the page has ${marker} ${count} times, not once`);
}
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1024).toFixed(0)} KiB`);
