import type { ReportReason } from '@hither/contract/reports.ts'
import { t } from '../i18n/translate.ts'

export const reportStrings = {
  reported: t('moderation.reported'),
  reportFailed: t('moderation.reportFailed'),
  loadFailed: t('moderation.loadFailed'),
  actionFailed: t('moderation.actionFailed'),
  report: t('moderation.report.report'),
  reportOf: (name: string) => t('moderation.report.reportOf', { name }),
  reportPing: t('moderation.report.reportPing'),
  reportMessage: t('moderation.report.reportMessage'),
  whatAbout: t('moderation.report.whatAbout'),
  thePerson: t('moderation.report.thePerson'),
  theirPicture: t('moderation.report.theirPicture'),
  thePing: t('moderation.report.thePing'),
  itsPicture: t('moderation.report.itsPicture'),
  why: t('moderation.report.why'),
  more: t('moderation.report.more'),
  chooseReason: t('moderation.report.chooseReason'),
  whoSees: t('moderation.report.whoSees'),
  send: t('moderation.report.send'),
} as const

export const bannerStrings = { hide: t('moderation.banner.hide') } as const

export const reasonNames: Readonly<Record<ReportReason, string>> = {
  harassment: t('moderation.reason.harassment'),
  threat: t('moderation.reason.threat'),
  sexual: t('moderation.reason.sexual'),
  spam: t('moderation.reason.spam'),
  impersonation: t('moderation.reason.impersonation'),
  other: t('moderation.reason.other'),
}
