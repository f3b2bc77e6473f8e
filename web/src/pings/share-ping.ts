import type { ShownPing } from '@hither/contract/pings.ts'
import { copyText } from '../device/clipboard.ts'
import { t } from '../i18n/translate.ts'
import type { Notice } from '../ui/notices/notices.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { type Titled, titleOf } from './pings.rules.ts'

type Shared = Pick<ShownPing, 'id'> & Titled

/** Shares the link of a ping with the device's share sheet, or copies it and shows a message. */
export function useSharePing() {
  const { showError, showNotice } = useSnackbar()
  return (ping: Shared) => sharePing(ping, ({ kind, text }) => (kind === 'error' ? showError(text) : showNotice(text)))
}

export async function sharePing(ping: Shared, show: (notice: Notice) => void): Promise<void> {
  const url = `${window.location.origin}/pins/${ping.id}`
  if (await isShared({ title: titleOf(ping), url })) return
  try {
    await copyText(url)
    show({ kind: 'notice', text: t('pings.copied') })
  } catch {
    // Also shown if there is no clipboard, as on pages without HTTPS.
    show({ kind: 'error', text: t('pings.copyFailed') })
  }
}

/** Returns true as well if the user closed the share sheet, because they did not ask for a copy. */
async function isShared(data: ShareData): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
