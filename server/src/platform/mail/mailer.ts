import type { Config } from '../../config.ts'

// Types only: an import statement would load the module at the start.
type Transporter = import('nodemailer').Transporter
type TransportOptions = { url: string; connectionTimeout: number; greetingTimeout: number; socketTimeout: number }

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
  /**
   * Whether mail to the address can be sent: other scripts before the `@` need a mail server with SMTPUTF8 (RFC 6531). Rejects if
   * that must be asked and the server does not answer.
   */
  canReach(address: string): Promise<boolean>
  /** Connects and authenticates without sending a mail. Rejects if the mail server refuses. */
  verify(withinMs: number): Promise<void>
  close(): void
}

/** Whether the same mail would be refused again: RFC 5321, 4.2.1. A refused sign-in is not a fault of the mail. */
export function isRefusedForGood(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return code === unreachable || (isAboutMail && responseCode >= 500 && responseCode < 600)
}

const unreachable = 'ENOTREACHABLE'

/** How long the extensions of the mail server are believed. */
const extensionsMs = 3_600_000

/** Loads nodemailer with the first mail or check. */
export function createMailer(mail: NonNullable<Config['mail']>, publicUrl: string, now: () => Date): Mailer {
  const connection = { url: mail.smtpUrl, disableFileAccess: true, disableUrlAccess: true }
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  let transport: Transporter | undefined
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({ ...connection, ...limits }, { from: mail.from })
    return transport
  }
  let extensions: { readonly reply: Promise<string>; readonly until: number } | undefined
  const takesOtherScripts = async () => {
    const at = now().getTime()
    if (extensions === undefined || extensions.until < at)
      extensions = { reply: askExtensions({ ...connection, ...limits }), until: at + extensionsMs }
    const reply = await extensions.reply.catch((error: unknown) => {
      extensions = undefined
      throw error
    })
    return /^250[ -]SMTPUTF8\b/im.test(reply)
  }
  const canReach = async (address: string) => isAscii(address.slice(0, address.lastIndexOf('@'))) || takesOtherScripts()
  const { hostname } = new URL(publicUrl)
  return {
    canReach,
    async send({ to, subject, text, html }, id) {
      if (!(await canReach(to))) throw Object.assign(new Error('The server has no SMTPUTF8'), { code: unreachable })
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

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** Returns the reply to EHLO, after STARTTLS if the server offers it. */
async function askExtensions(options: TransportOptions): Promise<string> {
  const [{ default: SMTPTransport }, { default: SMTPConnection }] = await Promise.all([
    import('nodemailer/lib/smtp-transport'),
    import('nodemailer/lib/smtp-connection'),
  ])
  const connection = new SMTPConnection(new SMTPTransport(options).options)
  try {
    return await new Promise<string>((resolve, reject) => {
      connection.once('error', reject)
      connection.once('end', () => reject(new Error('The mail server closed the connection')))
      connection.connect((error) => (error ? reject(error) : resolve(String(connection.lastServerResponse))))
    })
  } finally {
    connection.close()
  }
}
