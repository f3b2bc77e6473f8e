import { type MessageId, type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ReportSubject } from '@hither/contract/moderation.ts'
import { reportStrings as strings } from './strings.ts'

/** What somebody is looking at and may report, and whether it has a picture, which may be reported by itself. */
export type ReportTarget =
  | { readonly kind: 'user'; readonly id: UserId; readonly username: string; readonly hasImage: boolean }
  | { readonly kind: 'ping'; readonly id: PingId; readonly hasImage: boolean }
  | { readonly kind: 'message'; readonly id: MessageId }

export function headingOf(target: ReportTarget): string {
  if (target.kind === 'user') return strings.reportOf(target.username)
  return target.kind === 'ping' ? strings.reportPing : strings.reportMessage
}

/** The thing itself first. */
export function subjectsOf(target: ReportTarget): { subject: ReportSubject; label: string }[] {
  if (target.kind === 'message') return [{ subject: 'message', label: '' }]
  const isUser = target.kind === 'user'
  const itself = { subject: target.kind, label: isUser ? strings.thePerson : strings.thePing }
  if (!target.hasImage) return [itself]
  return [
    itself,
    isUser
      ? { subject: 'profile_image', label: strings.theirPicture }
      : { subject: 'pin_image', label: strings.itsPicture },
  ]
}
