import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { withPackagedPolicy } from './packaged-policy.ts'
import { root, run, tool } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/** `npm run mobile:sync`: builds the web app and copies it and the plugins into the native projects. */
await buildWebIfStale()
const env = { ...process.env, CAPACITOR_TELEMETRY: '0' }
process.exitCode = await run(process.execPath, [tool('cap'), 'sync'], { cwd: `${root}mobile`, env })
for (const folder of ['android/app/src/main/assets/public', 'ios/App/App/public']) {
  const path = `${root}mobile/${folder}/index.html`
  if (process.exitCode === 0 && existsSync(path))
    await writeFile(path, withPackagedPolicy(await readFile(path, 'utf8')))
}
