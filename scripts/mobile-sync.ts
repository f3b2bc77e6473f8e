import { root, run, tool } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/** `npm run mobile:sync`: builds the web app and puts it, and what the plugins need, into the native projects. */
await buildWebIfStale()
const env = { ...process.env, CAPACITOR_TELEMETRY: '0' }
process.exitCode = await run(process.execPath, [tool('cap'), 'sync'], { cwd: `${root}mobile`, env })
