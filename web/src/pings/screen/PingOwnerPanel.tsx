import type { OwnPing, PingStatus } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { audienceOf } from '../audience.ts'
import { OwnerChanges } from '../edit/OwnerChanges.tsx'
import { PingPictureButtons } from '../pictures/PingPictureButtons.tsx'
import { DeletePingDialog } from '../view/DeletePingDialog.tsx'
import { PingTimeControls } from './PingTimeControls.tsx'

interface Props {
  ping: OwnPing
  status: PingStatus
  onDeleted: () => void
}

/** The controls of the owner: the audience and everything that can be changed. */
export function PingOwnerPanel({ ping, status, onDeleted }: Props) {
  const nowMs = useServerNow(15_000)
  const [isDeleting, setIsDeleting] = useState(false)
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gap: 2, p: 2, border: 1, borderColor: 'divider', borderRadius: '16px' }}
    >
      <Box>
        <Typography id={id} component="h2" variant="subtitle1">
          {t('pings.ownerTitle')}
        </Typography>
        {status !== 'expired' && (
          <Typography color="textSecondary">
            {t('pings.audience')} {audienceOf(ping, nowMs)}
          </Typography>
        )}
      </Box>
      <OwnerChanges ping={ping} status={status} />
      {status === 'active' && <PingTimeControls ping={ping} />}
      {status !== 'expired' && <PingPictureButtons ping={ping} />}
      <Button variant="outlined" color="error" onClick={() => setIsDeleting(true)} sx={{ justifySelf: 'start' }}>
        {t('pings.deleteConfirm')}
      </Button>
      <DeletePingDialog open={isDeleting} ping={ping} onClose={() => setIsDeleting(false)} onDeleted={onDeleted} />
    </Box>
  )
}
