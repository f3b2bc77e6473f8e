import { type Letter } from '../notifications/mail-layout.ts'

export function testLetter(publicUrl: string): Letter {
  return {
    subject: 'Mail from Hither arrives',
    title: 'Mail arrives',
    paragraphs: ['This is the test mail that you asked for. The button has to lead to your server.'],
    button: { label: 'Open Hither', url: `${publicUrl}/admin?tab=server` },
    footnote: 'You get this mail because you run a Hither server and asked it for one.',
  }
}
