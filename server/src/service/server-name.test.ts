import { getConfig } from '@hither/contract/config.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { translatorOf } from '../platform/languages/translator.ts'
import { renderMail } from '../platform/mail/mail-layout.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ SERVER_NAME: 'Our <b>circle</b>' })
})
afterAll(() => server.close())

it('clients get the name of the server before the sign-in, and none by default', async () => {
  expect((await server.call(getConfig, {})).body.server_name).toBe('Our <b>circle</b>')
})

it('a mail has the name in its subject and its footer, as text', () => {
  const content = {
    subject: 'Reset your password',
    title: 'Reset your password',
    paragraphs: [],
    button: { label: 'Open', url: 'https://hither.example.org/x' },
    footnote: 'Ignore this mail.',
  }
  const named = renderMail(content, translatorOf('en'), 'Our <b>circle</b>')
  expect(named.subject).toBe('Reset your password · Our <b>circle</b>')
  expect(named.text).toMatch(/\n--\nHither · Our <b>circle<\/b>$/)
  expect(named.html).toContain('Ignore this mail.<br><br>Hither · Our &lt;b&gt;circle&lt;/b&gt;')
  expect(named.html).not.toContain('<b>circle')
  const plain = renderMail(content, translatorOf('en'), null)
  expect([plain.subject, plain.text.endsWith('\n--\nHither')]).toEqual(['Reset your password', true])
})
