import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  /** The first link in the text. It leads to the app. */
  readonly link: URL
}

export interface Mailbox {
  /** The value for `SMTP_URL`. */
  readonly url: string
  /** All accepted mails, in order. */
  readonly received: readonly ReceivedMail[]
  /** The token of the latest mail with one. A security alert may arrive before or after it, because mails are sent at once. */
  token(): string
  /** If set, the server rejects every recipient with this SMTP reply, or the one address `to`. */
  refusal: { code: number; text: string; to?: string } | null
  /** If set, the server rejects every text with this SMTP reply. */
  textRefusal: { code: number; text: string } | null
  /** Whether the server accepts credentials. It also accepts mail from clients that do not authenticate. */
  acceptsCredentials: boolean
  close(): Promise<void>
}

/** Starts an SMTP server on a free port that stores the mails it receives. */
export async function openMailbox(options: { hideSMTPUTF8?: boolean } = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...options,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth(_auth, _session, done) {
      if (mailbox.acceptsCredentials) done(null, { user: 'hither' })
      else done(Object.assign(new Error('No such name'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const refusal = (mailbox.refusal?.to ?? address) === address ? mailbox.refusal : null
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { textRefusal } = mailbox
        if (textRefusal) return done(Object.assign(new Error(textRefusal.text), { responseCode: textRefusal.code }))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        received.push(
          read(
            Buffer.concat(chunks).toString('latin1'),
            from,
            rcptTo.map(({ address }) => address),
          ),
        )
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusal: null,
    acceptsCredentials: true,
    textRefusal: null,
    token: () => received.findLast(({ link }) => link.hash !== '')?.link.hash.slice('#token='.length) ?? '',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mailbox
}

function read(source: string, from: string, to: string[]): ReceivedMail {
  const { headers, body } = split(source)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')))
  const partOf = (type: string) => {
    const part = parts.find((candidate) => candidate.headers['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit') : ''
  }
  const text = partOf('text/plain')
  return {
    from,
    to,
    headers,
    text,
    html: partOf('text/html'),
    link: new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'no:'),
  }
}

function split(source: string) {
  const end = source.indexOf('\r\n\r\n')
  const head = source.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const lines = head.split('\r\n').map((line) => line.split(/: ?(.*)/s, 2))
  return {
    headers: Object.fromEntries(lines.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    body: source.slice(end + 4),
  }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
