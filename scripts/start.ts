import { follow, root, start } from './run.ts'
import { serverOptions } from './server-options.ts'
import { buildWebIfStale } from './web-build.ts'

/** `npm start`: builds the web app if the build is missing or outdated, and runs the server. */
await buildWebIfStale()
follow(start(process.execPath, [...serverOptions, `${root}server/src/main.ts`]))
