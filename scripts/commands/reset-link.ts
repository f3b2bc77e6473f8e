import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import { createOperatorLink } from '../../server/src/moderation/operator-links.service.ts'
import { requestResetLink } from '../../server/src/moderation/reset-link-ipc.ts'
import { type Command, UsageError } from './command.ts'
import { withServerData } from './server-data.ts'

/** Prints a link that sets a new password, also for an admin and while the server runs. */
export const resetLink: Command = {
  usage: 'EMAIL_OR_USERNAME',
  failure: 'No link was created.',
  async run([login = '', ...rest]) {
    if (login.trim() === '' || rest.length > 0) throw new UsageError()
    const link = await create(login)
    if (link) {
      const until = new Date(link.expires_at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
      process.stdout.write(
        `\n  ${link.url}\n\n  Works once, until ${until}. Anyone who opens it can set a new password.\n\n`,
      )
    } else {
      process.stderr.write('No account has this email or username.\n')
      process.exitCode = 1
    }
  },
}

const loginMax = 254

async function create(login: string): Promise<ResetLink | null> {
  // No account has such an email or username.
  if (login.length > loginMax || /\p{Cc}/u.test(login)) return null
  return withServerData(
    (config) => requestResetLink(config, login.trim()),
    (deps) => createOperatorLink(deps, login.trim()),
  )
}
