import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import { pino } from 'pino'
import { openData, readSettings } from '../server/src/data-access.ts'
import { createOperatorLink } from '../server/src/moderation/operator-links.service.ts'
import { requestResetLink } from '../server/src/moderation/reset-link-ipc.ts'
import { queuePushes } from '../server/src/notifications/push/pushes.service.ts'
import { joinCluster } from '../server/src/platform/cluster/cluster.ts'
import { createPrivateFiles } from '../server/src/platform/data-folder/private-files.ts'
import { StartError } from '../server/src/platform/errors/start-error.ts'

/**
 * `npm run reset-link -- EMAIL_OR_USERNAME`: prints a link that sets a new password, also for an admin and while the server
 * runs. Uses the settings of the server.
 */
const usage = 'Usage: npm run reset-link -- EMAIL_OR_USERNAME'
const loginMax = 254

async function main(): Promise<ResetLink | null> {
  const [login = '', ...rest] = process.argv.slice(2)
  if (login.trim() === '' || rest.length > 0) throw new StartError(usage)
  // No account has such an email or username.
  if (login.length > loginMax || /\p{Cc}/u.test(login)) return null
  const config = await readSettings(process.env)
  createPrivateFiles()
  if (config.databaseUrl === null) {
    const link = await requestResetLink(config, login.trim())
    if (link !== undefined) return link
  }
  const log = pino({ level: 'silent' })
  const now = () => new Date()
  const { pool, close } = await openData(config, { log })
  try {
    const { changes, close: leave } = await joinCluster(config.redisUrl, pool, now, log)
    changes.subscribe(queuePushes)
    try {
      return await createOperatorLink({ pool, changes, config, now }, login.trim())
    } finally {
      await leave()
    }
  } finally {
    await close()
  }
}

try {
  const link = await main()
  if (link) {
    const until = new Date(link.expires_at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
    process.stdout.write(
      `\n  ${link.url}\n\n  Works once, until ${until}. Anyone who opens it can set a new password.\n\n`,
    )
  } else {
    process.stderr.write('No account has this email or username.\n')
    process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`No link was created. ${(error as Error).message}\n`)
  if (!(error instanceof StartError)) process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
