import { root, run } from '../run.ts'

const waiting = ['basemap', 'places', 'icons', 'imagery']
const atOnce = 2

/** Builds the data of maps and icons again, two at a time, and fails if it differs from what is committed. */
let isBroken = false
async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    isBroken = (await run(process.execPath, [`${root}scripts/build-${name}.ts`, '--check'])) !== 0 || isBroken
}
await Promise.all(Array.from({ length: atOnce }, work))
if (isBroken) process.exitCode = 1
