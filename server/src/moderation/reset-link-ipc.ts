import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import type { Config } from '../config.ts'
import { sendToLockHolder } from '../platform/data-folder/folder-lock.ts'
import { StartError } from '../platform/errors/start-error.ts'

const prefix = 'reset-link '

interface Answer {
  /** `null`: no account has this email or username. */
  readonly link?: ResetLink | null
  readonly error?: string
}

/** Whether a request over the socket of the data folder's lock is for a reset link. */
export function isResetLinkRequest(asked: string): boolean {
  return asked.startsWith(prefix)
}

/** Handles a request of `npm run reset-link`. Only processes of the same user can reach the socket. */
export async function handleResetLinkRequest(
  app: { createOperatorLink(login: string): Promise<ResetLink | null> } | undefined,
  asked: string,
): Promise<string> {
  if (!app) return answered({ error: 'Hither is still starting. Try again in a moment.' })
  try {
    return answered({ link: await app.createOperatorLink(asked.slice(prefix.length)) })
  } catch {
    return answered({ error: 'The running server could not create the link. Its log says why.' })
  }
}

/** Asks the server that runs on the built-in database for the link; undefined if none runs. */
export async function requestResetLink(
  { dataDir }: Pick<Config, 'dataDir'>,
  login: string,
): Promise<ResetLink | null | undefined> {
  const text = await sendToLockHolder(dataDir, `${prefix}${login}`)
  if (text === null) return undefined
  const { link, error } = text === '' ? { error: 'The running server ended.' } : (JSON.parse(text) as Answer)
  if (link === undefined) throw new StartError(error ?? text)
  return link
}

function answered(answer: Answer): string {
  return JSON.stringify(answer)
}
