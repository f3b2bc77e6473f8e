import type { Config } from '../../config.ts'

// Types only: an import statement would load the module at the start.
type Transporter = import('nodemailer').Transporter

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /**
   * Resolves once the mail server has accepted the mail. `id` is the same for every attempt to send it, so that
   * duplicates can be recognized.
   */
  send(mail: Mail, id: string): Promise<void>
  /** Connects and authenticates without sending a mail. Rejects if the mail server refuses. */
  verify(withinMs: number): Promise<void>
  close(): void
}

/** Loads nodemailer with the first mail or check. */
export function createMailer(mail: NonNullable<Config['mail']>, publicUrl: string, now: () => Date): Mailer {
  const connection = { url: mail.smtpUrl, disableFileAccess: true, disableUrlAccess: true }
  let transport: Transporter | undefined
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport(
      { ...connection, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
      { from: mail.from },
    )
    return transport
  }
  const { hostname } = new URL(publicUrl)
  return {
    async send({ to, subject, text, html }, id) {
      await (await openTransport()).sendMail({
        // As an object, so that no part of the address is parsed as a second address.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${hostname}>`,
        date: now(),
        // RFC 3834: prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    async verify(withinMs) {
      // A separate connection, so that a hanging one can be closed.
      const limits = {
        dnsTimeout: withinMs,
        connectionTimeout: withinMs,
        greetingTimeout: withinMs,
        socketTimeout: withinMs,
      }
      const { createTransport } = await import('nodemailer')
      await createTransport({ ...connection, ...limits }).verify()
    },
    close: () => transport?.close(),
  }
}
