import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { shortTime } from '../../ui/format-time.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { countNotified } from '../edit/count-notified.ts'
import { useDeletePing } from '../pings.mutations.ts'
import { statusAt } from '../pings.rules.ts'
import { StatusChip } from './StatusChip.tsx'
import { writeErrorText } from './write-error-text.ts'

const CancelPingDialog = lazyComponent(async () => (await import('../edit/CancelPingDialog.tsx')).CancelPingDialog)

interface Props {
  open: boolean
  /** Stays set while the dialog fades out. */
  ping: OwnPing | null
  onClose: () => void
  onDeleted?: () => void
}

export function DeletePingDialog({ open, ping, onClose, onDeleted }: Props) {
  const nowMs = useServerNow(1000)
  const removal = useDeletePing()
  const { showError } = useSnackbar()
  const status = ping && statusAt(ping, nowMs)
  const [isCanceling, setIsCanceling] = useState(false)
  const notified = ping && status !== 'expired' ? countNotified(ping) : 0

  function handleConfirm() {
    onClose()
    if (ping === null) return
    // Shown even if the screen of the ping was left in the meantime.
    removal.mutateAsync(ping).catch((error: unknown) => showError(writeErrorText(error, t('pings.deleteFailed'))))
    onDeleted?.()
  }

  function handleCancelInstead() {
    onClose()
    setIsCanceling(true)
  }

  return (
    <>
      <ConfirmDialog
        open={open}
        title={t('pings.deleteTitle')}
        text={t('pings.deleteText')}
        confirmLabel={t('pings.deleteConfirm')}
        onConfirm={handleConfirm}
        onClose={onClose}
      >
        {ping && status && (
          <Box
            sx={{ mt: 2, p: 2, borderRadius: '16px', border: 1, borderColor: 'divider', display: 'grid', gap: 0.75 }}
          >
            <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
              <Typography sx={{ fontWeight: 700, overflowWrap: 'anywhere', flex: 1 }}>
                <bdi>{ping.name}</bdi>
              </Typography>
              <StatusChip status={status} isCanceled={ping.canceled_at !== null} />
            </Box>
            {status === 'pending' && ping.activates_at && (
              <Typography variant="body2" color="textSecondary">
                {t('pings.activates', { time: shortTime(ping.activates_at, nowMs) })}
              </Typography>
            )}
            {ping.message && (
              <Typography
                variant="body2"
                color="textSecondary"
                sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
              >
                <bdi>{ping.message}</bdi>
              </Typography>
            )}
          </Box>
        )}
        {notified > 0 && (
          <Link
            component="button"
            type="button"
            onClick={handleCancelInstead}
            sx={{ mt: 2, minHeight: 44, textAlign: 'start', fontWeight: 600 }}
          >
            {t('pings.cancel.insteadOfDelete', { count: notified })}
          </Link>
        )}
      </ConfirmDialog>
      {ping && <CancelPingDialog open={isCanceling} ping={ping} onClose={() => setIsCanceling(false)} />}
    </>
  )
}
