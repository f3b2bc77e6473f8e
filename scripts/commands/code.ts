import { adminLinkLines, adminLinkOf } from '../../server/src/moderation/admin-link.ts'
import { requestAdminCode } from '../../server/src/moderation/admin-link-ipc.ts'
import { makeAdminCode } from '../../server/src/moderation/admins.service.ts'
import { StartError } from '../../server/src/platform/errors/start-error.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { withServerData } from './server-data.ts'

/** Prints another link for the first admin. */
export const code: Command = {
  usage: '',
  failure: 'No code was made.',
  async run(args) {
    if (args.length > 0) throw new UsageError()
    const link = await withServerData(
      async (config) => {
        const answer = await requestAdminCode(config)
        if (answer === undefined) throw new StartError('Hither is not running. Start it: it prints a link.')
        return answer
      },
      async (deps) => {
        const made = await makeAdminCode(deps)
        return made === null ? null : adminLinkOf(deps.config, made)
      },
    )
    const text =
      link === null ? '\n    This server has an administrator.\n' : await adminLinkLines(link, process.stdout)
    process.stdout.write(`${text}\n`)
  },
}
