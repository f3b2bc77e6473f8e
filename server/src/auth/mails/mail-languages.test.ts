import { afterAll, beforeAll, expect, it } from 'vitest'
import { password, startServer, type TestServer } from '../../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../../test/mailbox.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'on' })
})

afterAll(async () => {
  await server.close()
  await mailbox.close()
})

/** The mail that the server sends next. */
async function nextMail() {
  const before = mailbox.received.length
  await server.app.deliveryJobs.runDue()
  const [mail] = mailbox.received.slice(before)
  if (mail === undefined) throw new Error('No mail was sent')
  return mail
}

const post = (path: string, body: object, language: string) =>
  server.request('POST', path, { body, headers: { 'accept-language': language } })

it('a confirmation is in the language of the sign-up, and a reset in that of the account', async () => {
  const account = { email: 'ann@example.org', username: 'ann', password }
  await post('/api/auth/signup', account, 'fr-FR,en;q=0.5')
  const confirmation = await nextMail()
  expect(confirmation.headers['subject']).toBe('Confirme ton adresse e-mail')
  expect(confirmation.html).toContain('<html lang="fr" dir="ltr">')
  await post('/api/auth/confirm', { token: mailbox.token(), password }, 'fr')
  await server.db`update users set locale = 'de'`
  await post('/api/auth/forgot-password', { email: account.email }, 'es')
  expect((await nextMail()).headers['subject']).toBe('Lege ein neues Passwort fest')
  // Without a chosen language, that of the session used last counts.
  await server.db`update users set locale = null`
  await post('/api/auth/forgot-password', { email: account.email }, 'es')
  expect((await nextMail()).html).toContain('<title>Définis un nouveau mot de passe</title>')
})
