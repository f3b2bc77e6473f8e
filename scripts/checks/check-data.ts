import { readFile, writeFile } from 'node:fs/promises'
import { root, run } from '../run.ts'
import { type DataBuild, digestOf } from './data-digest.ts'

/** What each build reads and writes, besides its own modules and packages. */
const builds: DataBuild[] = [
  { name: 'basemap', files: ['scripts/basemap', 'web/src/map/basemap'] },
  { name: 'places', files: ['server/src/geo/places.txt.br'] },
  {
    name: 'icons',
    files: ['web/public', 'docs/screenshots', 'mobile/android/app/src/main/res', 'mobile/ios/App/App/Assets.xcassets'],
  },
  { name: 'imagery', files: ['scripts/basemap/blue-marble.jpg', 'web/public/imagery'] },
]
const stored = `${root}scripts/checks/data-digests.json`
const atOnce = 2

/**
 * Fails if the data of maps and icons differs from what its scripts write. Building all of it takes half a minute, so the
 * digests of what was compared last are committed: only what has changed since is built again, two at a time. `--all` builds
 * everything. A digest of data that is as it should be is written, to be committed with the change.
 */
const known = JSON.parse(await readFile(stored, 'utf8').catch(() => '{}')) as Record<string, string>
const digests = Object.fromEntries(await Promise.all(builds.map(async (build) => [build.name, await digestOf(build)])))
const waiting = builds.filter(({ name }) => process.argv.includes('--all') || known[name] !== digests[name])
let isBroken = false

async function work() {
  for (let build = waiting.shift(); build !== undefined; build = waiting.shift()) {
    const { name } = build
    const isEqual = (await run(process.execPath, [`${root}scripts/build-${name}.ts`, '--check'])) === 0
    if (isEqual) known[name] = digests[name] as string
    isBroken ||= !isEqual
  }
}
const before = JSON.stringify(known)
await Promise.all(Array.from({ length: atOnce }, work))
if (JSON.stringify(known) !== before) {
  await writeFile(stored, `${JSON.stringify(known, null, 2)}\n`)
  process.stdout.write('The data is as it should be. Please commit scripts/checks/data-digests.json.\n')
}
if (isBroken) process.exitCode = 1
