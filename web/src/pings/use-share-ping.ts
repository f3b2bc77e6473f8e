import { type PingId } from '@hither/contract/ids.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { pingStrings } from './strings.ts'

/** Hands the link that opens a ping for anyone who may see it to the device's share sheet; else copies it and says so. */
export function useSharePing() {
  const { showError, showNotice } = useSnackbar()
  return async ({ id, name }: { id: PingId; name: string }) => {
    const url = `${window.location.origin}/pins/${id}`
    if (await isShared({ title: name, url })) return
    try {
      await navigator.clipboard.writeText(url)
      showNotice(pingStrings.copied)
    } catch {
      // Also where there is no clipboard: pages without HTTPS have none.
      showError(pingStrings.copyFailed)
    }
  }
}

/** Whoever closes the sheet has been served too: they did not ask for a copy. */
async function isShared(data: ShareData): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
