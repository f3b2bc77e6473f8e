import type { Config } from '../config.ts'
import { sendToLockHolder } from '../platform/data-folder/folder-lock.ts'
import { StartError } from '../platform/errors/start-error.ts'
import { type AdminLink, adminLinkOf } from './admin-link.ts'

const request = 'admin-code'

interface Answer {
  /** `null`: the server has an administrator. */
  readonly link?: AdminLink | null
  readonly error?: string
}

/** Whether a request over the socket of the data folder's lock is for an admin link. */
export function isAdminCodeRequest(asked: string): boolean {
  return asked === request
}

/** Handles a request of `hither code`. Only processes of the same user can reach the socket. */
export async function handleAdminCodeRequest(
  app: { makeAdminCode(): Promise<string | null> } | undefined,
  config: Config,
): Promise<string> {
  if (!app) return answered({ error: 'Hither is still starting. Try again in a moment.' })
  try {
    const code = await app.makeAdminCode()
    return answered({ link: code === null ? null : adminLinkOf(config, code) })
  } catch {
    return answered({ error: 'The running server could not make the code. Its log says why.' })
  }
}

/** Asks the server that runs on the built-in database for a new admin link; undefined if none runs. */
export async function requestAdminCode({ dataDir }: Pick<Config, 'dataDir'>): Promise<AdminLink | null | undefined> {
  const text = await sendToLockHolder(dataDir, request)
  if (text === null) return undefined
  const { link, error } = text === '' ? { error: 'The running server ended.' } : (JSON.parse(text) as Answer)
  if (link === undefined) throw new StartError(error ?? text)
  return link
}

function answered(answer: Answer): string {
  return JSON.stringify(answer)
}
