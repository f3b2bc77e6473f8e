import type { MailContent } from '../platform/mail/mail-layout.ts'

export function testMail(publicUrl: string): MailContent {
  return {
    subject: 'Test email from Hither',
    title: 'Email works',
    paragraphs: ['This is the test email you requested. The button should open your server.'],
    button: { label: 'Open Hither', url: `${publicUrl}/admin?tab=server` },
    footnote: 'You received this email because you requested a test on your Hither server.',
  }
}
