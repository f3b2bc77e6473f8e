import type { User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { sendStateOf, type WaitingPing } from './outbox.rules.ts'
import { WaitingPingActions } from './WaitingPingActions.tsx'
import { waitingText } from './waiting-text.ts'

interface Props {
  ping: WaitingPing
  owner: User
  nowMs: number
  onEdit: (ping: WaitingPing) => void
  onClose: () => void
}

/** The popup of a pin that is not sent yet. */
export function WaitingPingCard({ ping, owner, nowMs, onEdit, onClose }: Props) {
  const { input, image } = ping
  const sendState = sendStateOf(ping, nowMs)
  const { state, time } = waitingText(ping, nowMs)
  const imageUrl = useObjectUrl(image)
  return (
    <Box
      sx={{
        width: 'min(304px, calc(100vw - 32px))',
        p: 2,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1.25,
      }}
    >
      <Box sx={{ display: 'flex', gap: 1.25, alignItems: 'flex-start' }}>
        <Typography
          component="h2"
          variant="subtitle1"
          sx={{ flex: 1, minWidth: 0, lineHeight: 1.25, overflowWrap: 'anywhere' }}
        >
          <bdi>{input.name}</bdi>
        </Typography>
        <IconButton aria-label={t('pings.close')} onClick={onClose} sx={{ mt: -1, marginInlineEnd: -1 }}>
          <CloseRounded fontSize="small" />
        </IconButton>
      </Box>
      <Box>
        <Typography variant="body2" sx={{ fontWeight: 600, color: sendState === 'waiting' ? 'inherit' : 'error.main' }}>
          {state}
        </Typography>
        {time !== null && (
          <Typography variant="body2" color="textSecondary">
            {time}
          </Typography>
        )}
      </Box>
      {imageUrl !== null && (
        <Box
          component="img"
          src={imageUrl}
          alt={t('pings.picture', { name: input.name })}
          sx={{ width: '100%', height: 112, objectFit: 'cover', borderRadius: '12px', bgcolor: 'action.hover' }}
        />
      )}
      {input.message && (
        <Typography
          variant="body2"
          tabIndex={0}
          sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 96, overflowY: 'auto' }}
        >
          <bdi>{input.message}</bdi>
        </Typography>
      )}
      <WaitingPingActions ping={ping} sendState={sendState} ownerId={owner.id} onEdit={onEdit} />
    </Box>
  )
}

function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (blob === null) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return url
}
