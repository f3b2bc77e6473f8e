/** Copies a text. Pages without HTTPS have no clipboard API; there the older command does it. Rejects if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  const clipboard = globalThis.navigator?.clipboard as Clipboard | undefined
  if (clipboard !== undefined) return clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement as HTMLElement | null
  // A dialog would take the focus back from a field outside of it.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  focused?.focus()
  if (!isCopied) throw new Error('The browser did not copy the text')
}
