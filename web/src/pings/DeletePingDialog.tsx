import { type Ping } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useServerNow } from '../api/server-time.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useDeletePing } from './pings.api.ts'
import { statusAt } from './pings.rules.ts'
import { StatusChip } from './StatusChip.tsx'
import { pingStrings } from './strings.ts'
import { shortTime } from './times.ts'
import { writeFailed } from './write-failed.ts'

interface Props {
  open: boolean
  /** Stays while the dialog fades out. */
  ping: Ping | null
  onClose: () => void
  onDeleted?: () => void
}

export function DeletePingDialog({ open, ping, onClose, onDeleted }: Props) {
  const nowMs = useServerNow(1000)
  const removal = useDeletePing()
  const { showError } = useSnackbar()
  const status = ping && statusAt(ping, nowMs)

  function handleConfirm() {
    onClose()
    if (ping === null) return
    // Said even where the screen of the ping has been left by then.
    removal.mutateAsync(ping).catch((error: unknown) => showError(writeFailed(error, pingStrings.deleteFailed)))
    onDeleted?.()
  }

  return (
    <ConfirmDialog
      open={open}
      title={pingStrings.deleteTitle}
      text={pingStrings.deleteText}
      confirmLabel={pingStrings.deleteConfirm}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {ping && status && (
        <Box sx={{ mt: 2, p: 2, borderRadius: '16px', border: 1, borderColor: 'divider', display: 'grid', gap: 0.75 }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
            <Typography sx={{ fontWeight: 700, overflowWrap: 'anywhere', flex: 1 }}>{ping.name}</Typography>
            <StatusChip status={status} />
          </Box>
          {status === 'pending' && ping.activates_at && (
            <Typography variant="body2" color="textSecondary">
              {pingStrings.activates(shortTime(ping.activates_at, nowMs))}
            </Typography>
          )}
          {ping.message && (
            <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {ping.message}
            </Typography>
          )}
        </Box>
      )}
    </ConfirmDialog>
  )
}
