import { follow, root, start as startProgram } from '../run.ts'
import { serverOptions } from '../server-options.ts'
import { buildWebIfStale } from '../web-build.ts'
import type { Command } from './command.ts'

/** Builds the web app if the build is missing or outdated, and runs the server. */
export const start: Command = {
  usage: '',
  failure: 'Hither did not start.',
  async run() {
    await buildWebIfStale()
    follow(startProgram(process.execPath, [...serverOptions, `${root}server/src/main.ts`]))
  },
}
