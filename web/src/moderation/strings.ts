import type { ReportReason } from '@hither/contract/reports.ts'
import { moderationTexts } from '@hither/contract/runtime/moderation.ts'

export const reportStrings = {
  ...moderationTexts,
  report: 'Report',
  reportOf: (name: string) => `Report ${name}`,
  reportPing: 'Report this ping',
  reportMessage: 'Report this message',
  whatAbout: 'What do you want to report?',
  thePerson: 'The person',
  theirPicture: 'Their picture',
  thePing: 'The ping',
  itsPicture: 'Its picture',
  why: 'What is wrong?',
  more: 'Anything else? (optional)',
  chooseReason: 'Please choose what is wrong',
  whoSees: 'The admins of this server see it as it is now, and that you reported it. Nobody else is notified.',
  send: 'Send report',
} as const

export const reasonNames: Readonly<Record<ReportReason, string>> = {
  harassment: 'Bullying or harassment',
  threat: 'Threats or danger',
  sexual: 'Sexual content',
  spam: 'Spam or fraud',
  impersonation: 'Pretends to be someone else',
  other: 'Something else',
}
