import type { GuestId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import type { ReportSubject } from '@hither/contract/reports.ts'
import { t } from '../i18n/translate.ts'

/** The content that a user may report, and whether it has an image that can be reported separately. */
export type ReportTarget =
  | { readonly kind: 'user'; readonly id: UserId; readonly name: string; readonly hasImage: boolean }
  | { readonly kind: 'ping'; readonly id: PingId; readonly hasImage: boolean }
  | { readonly kind: 'message'; readonly id: MessageId }
  | { readonly kind: 'guest'; readonly id: GuestId; readonly name: string }

export function headingOf(target: ReportTarget): string {
  if (target.kind === 'user' || target.kind === 'guest') return t('moderation.report.reportOf', { name: target.name })
  return target.kind === 'ping' ? t('moderation.report.reportPing') : t('moderation.report.reportMessage')
}

/** The content itself comes first. */
export function subjectsOf(target: ReportTarget): { subject: ReportSubject; label: string }[] {
  if (target.kind === 'message' || target.kind === 'guest') return [{ subject: target.kind, label: '' }]
  const isUser = target.kind === 'user'
  const itself = {
    subject: target.kind,
    label: isUser ? t('moderation.report.thePerson') : t('moderation.report.thePing'),
  }
  if (!target.hasImage) return [itself]
  return [
    itself,
    isUser
      ? { subject: 'profile_image', label: t('moderation.report.theirPicture') }
      : { subject: 'pin_image', label: t('moderation.report.itsPicture') },
  ]
}
