import { copyText } from '../device/clipboard.ts'
import { t } from '../i18n/translate.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'

/** Shares or copies a link. `canShare` is false without a share sheet. */
export function useLinkSharing(url: string) {
  const { showError, showNotice } = useSnackbar()

  async function copy() {
    try {
      await copyText(url)
      showNotice(t('friend-links.link.copied'))
    } catch {
      // Also shown if there is no clipboard, as on pages without HTTPS.
      showError(t('friend-links.link.copyFailed'))
    }
  }

  /** Falls back to a copy, except if the user closed the share sheet. */
  function share() {
    navigator.share({ url }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) void copy()
    })
  }

  return { canShare: typeof navigator.share === 'function', share, copy }
}
