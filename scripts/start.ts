import { follow, root, start } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/** `npm start`: builds what is missing or stale and runs the server. */
await buildWebIfStale()
follow(start(process.execPath, [`${root}server/src/main.ts`]))
