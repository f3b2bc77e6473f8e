import { type Ping, type PingStatus } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useServerNow } from '../api/server-time.ts'
import { audienceOf } from './audience.ts'
import { DeletePingDialog } from './DeletePingDialog.tsx'
import { PingPictureButtons } from './PingPictureButtons.tsx'
import { PingTimeControls } from './PingTimeControls.tsx'
import { pingStrings } from './strings.ts'

interface Props {
  ping: Ping
  status: PingStatus
  onDeleted: () => void
}

/** What only the owner sees: who it is shared with, and all that can be changed about it. */
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
          {pingStrings.ownerTitle}
        </Typography>
        {status !== 'expired' && (
          <Typography color="textSecondary">
            {pingStrings.audience} {audienceOf(ping, nowMs)}
          </Typography>
        )}
      </Box>
      {status === 'active' && <PingTimeControls ping={ping} />}
      {status !== 'expired' && <PingPictureButtons ping={ping} />}
      <Button variant="outlined" color="error" onClick={() => setIsDeleting(true)} sx={{ justifySelf: 'start' }}>
        {pingStrings.deleteConfirm}
      </Button>
      <DeletePingDialog open={isDeleting} ping={ping} onClose={() => setIsDeleting(false)} onDeleted={onDeleted} />
    </Box>
  )
}
