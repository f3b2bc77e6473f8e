import type { FriendLink, FriendLinkPreview } from '@hither/contract/friend-links.ts'
import type { RegistrationMode } from '@hither/contract/invitations.ts'
import { t } from '../i18n/translate.ts'

/** 22 characters of base64url, and a suffix that is reserved for later and ignored. */
const codePattern = /^([\w-]{22})(?:\.[\w-]{0,128})?$/

/** What a scanned or pasted text is. `code` is without the suffix, `host` that of another server. */
type ReadLink = { kind: 'code'; code: string } | { kind: 'foreign'; host: string } | { kind: 'other' }

/** Returns the code of a fragment without its `#`; null if it is malformed. */
export function codeOf(fragment: string): string | null {
  return codePattern.exec(fragment)?.[1] ?? null
}

/** Recognizes a friend link of the server at `origin` and one of another server. */
export function readFriendLink(text: string, origin: string): ReadLink {
  const link = text.trim()
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return { kind: 'other' }
  const { host, pathname, hash, username, password } = new URL(link)
  const code = codeOf(hash.slice(1))
  if (code === null || !/^\/add\/?$/.test(pathname) || username !== '' || password !== '') return { kind: 'other' }
  return host === new URL(origin).host ? { kind: 'code', code } : { kind: 'foreign', host }
}

/** What the screen of a friend link shows. */
export type LinkState =
  | { kind: 'loading' | 'invalid' | 'own' | 'offline' }
  | { kind: 'failed'; message: string }
  | { kind: 'visitor' | 'ready' | 'waiting' | 'friends'; preview: FriendLinkPreview }

/** Without a relation, the viewer is a visitor. */
export function stateOf(preview: FriendLinkPreview): LinkState {
  switch (preview.relation) {
    case undefined:
      return { kind: 'visitor', preview }
    case 'own':
      return { kind: 'own' }
    case 'friends':
      return { kind: 'friends', preview }
    case 'request_sent':
      return { kind: preview.requires_approval ? 'waiting' : 'ready', preview }
    default:
      return { kind: 'ready', preview }
  }
}

/** Whether the creator still has to accept. A request of the creator is accepted by the use of the link. */
export function needsApproval({ requires_approval, relation }: FriendLinkPreview): boolean {
  return requires_approval && relation !== 'request_received'
}

/** What the use of the link does. */
export function lineOf(preview: FriendLinkPreview): string {
  return needsApproval(preview)
    ? t('friend-links.add.willRequest', { name: preview.username })
    : t('friend-links.add.rightAway')
}

/**
 * Whether a new account can be created with a new link; null while it is not known. With invitations only, the server decides by
 * the invitations that the member has left, in the same way for each link that is not used up.
 */
export function newLinkAdmitsSignup(
  registration: RegistrationMode | undefined,
  links: readonly Pick<FriendLink, 'uses_left' | 'admits_signup'>[] | undefined,
): boolean | null {
  if (registration === 'open') return true
  if (registration === 'closed') return false
  return links?.find(({ uses_left }) => uses_left > 0)?.admits_signup ?? null
}

/** For example "9:32". */
export function countdownText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * The address that friends cannot open yet; null if they can, or while `publicUrl`, with which links begin, is not known. Browsers
 * need HTTPS, so that an address without it is none for friends.
 */
export function unreachableAddress(origin: string, publicUrl: string | undefined): string | null {
  if (!origin.startsWith('https:')) return origin
  return publicUrl === undefined || new URL(publicUrl).origin === origin ? null : publicUrl
}
