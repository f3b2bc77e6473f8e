import { type Config } from '../config.ts'

// Not an import statement: it would load the module, even for types alone.
type Transporter = import('nodemailer').Transporter

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /**
   * Resolves once the mail server has taken it. `id` is the same for every attempt at one mail, so that a second copy is
   * known for what it is.
   */
  send(mail: Mail, id: string): Promise<void>
  /** Connects, greets and signs in, and sends nothing; rejects where the mail server will not have it. */
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
        // As an object, so that nothing in the address is read as a second one.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${hostname}>`,
        date: now(),
        // RFC 3834: nobody's holiday answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    async verify(withinMs) {
      // Of its own, so that what hangs is hung up on.
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
