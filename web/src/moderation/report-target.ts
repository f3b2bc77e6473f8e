import type { GuestId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import type { ReportSubject } from '@hither/contract/reports.ts'
import { reportStrings as strings } from './strings.ts'

/** The content that a user may report, and whether it has an image that can be reported separately. */
export type ReportTarget =
  | { readonly kind: 'user'; readonly id: UserId; readonly name: string; readonly hasImage: boolean }
  | { readonly kind: 'ping'; readonly id: PingId; readonly hasImage: boolean }
  | { readonly kind: 'message'; readonly id: MessageId }
  | { readonly kind: 'guest'; readonly id: GuestId; readonly name: string }

export function headingOf(target: ReportTarget): string {
  if (target.kind === 'user' || target.kind === 'guest') return strings.reportOf(target.name)
  return target.kind === 'ping' ? strings.reportPing : strings.reportMessage
}

/** The content itself comes first. */
export function subjectsOf(target: ReportTarget): { subject: ReportSubject; label: string }[] {
  if (target.kind === 'message' || target.kind === 'guest') return [{ subject: target.kind, label: '' }]
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
