import { type PingId } from '@hither/contract/ids.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { pingStrings } from './strings.ts'

/** Copies the link that opens a ping for anyone who may see it, and says so. */
export function useSharePing() {
  const { showError, showNotice } = useSnackbar()
  return async (pingId: PingId) => {
    try {
      await navigator.clipboard.writeText(`${window.location.origin}/pins/${pingId}`)
      showNotice(pingStrings.copied)
    } catch {
      // Also where there is no clipboard: pages without HTTPS have none.
      showError(pingStrings.copyFailed)
    }
  }
}
