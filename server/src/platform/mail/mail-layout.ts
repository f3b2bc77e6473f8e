import type { Translator } from '../languages/translator.ts'
import type { Mail } from './mailer.ts'

export interface MailContent {
  readonly subject: string
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly button: { readonly label: string; readonly url: string }
  /** Smaller text at the end. */
  readonly footnote: string
}

/**
 * Builds a mail as text and as HTML that every mail program shows: a table with inline styles and no remote content.
 */
export function renderMail(
  given: MailContent,
  translator: Translator,
  /** What the operator calls the server; `null`: nothing. */
  serverName: string | null,
): Omit<Mail, 'to'> {
  const content = { ...given, subject: withName(given.subject, serverName) }
  const sender = withName('Hither', serverName)
  return {
    subject: content.subject,
    text: textOf(content, sender),
    html: htmlOf(content, serverName === null ? null : sender, translator),
  }
}

function withName(text: string, serverName: string | null): string {
  return serverName === null ? text : `${text} · ${serverName}`
}

function textOf({ title, paragraphs, button, footnote }: MailContent, sender: string): string {
  return [title, ...paragraphs, `${button.label}:\n${button.url}`, footnote, `--\n${sender}`].join('\n\n')
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function htmlOf(
  { subject, title, paragraphs, button, footnote }: MailContent,
  sender: string | null,
  { language, dir, t }: Translator,
): string {
  const url = escapeHtml(button.url)
  const lines = paragraphs.map(
    (line) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#33383f">${escapeHtml(line)}</p>`,
  )
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f2f4f7;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 8px 16px;font-size:22px;font-weight:700;color:#17191c;${font}">Hither</td></tr>
<tr><td style="padding:32px 28px;background:#ffffff;border-radius:16px;${font}">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;color:#17191c">${escapeHtml(title)}</h1>
${lines.join('\n')}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr>
<td style="background:#1f5fd1;border-radius:10px"><a href="${url}" style="display:inline-block;padding:14px 26px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(button.label)}</a></td>
</tr></table>
<p style="margin:0 0 4px;font-size:13px;line-height:20px;color:#5b626b">${escapeHtml(t('mails.brokenButton'))}</p>
<p style="margin:0;font-size:13px;line-height:20px;word-break:break-all"><a href="${url}" style="color:#1f5fd1">${url}</a></p>
</td></tr>
<tr><td style="padding:16px 8px;font-size:13px;line-height:20px;color:#5b626b;${font}">${[footnote, ...(sender === null ? [] : [sender])].map(escapeHtml).join('<br><br>')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
