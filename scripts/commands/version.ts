import { version as current } from '../../server/src/version.ts'
import type { Command } from './command.ts'

export const version: Command = {
  usage: '',
  failure: '',
  async run() {
    process.stdout.write(`${current}\n`)
  },
}
