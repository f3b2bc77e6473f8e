import type { ConversationId } from '@hither/contract/ids.ts'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import { useId } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useMute } from './use-mute.ts'

interface Props {
  open: boolean
  conversationId: ConversationId
  onClose: () => void
}

const hourMs = 3_600_000
const choices = [...([1, 8, 168] as const), null]

/** The choice of a duration, made with one tap. */
export function MuteDialog({ open, conversationId, onClose }: Props) {
  const id = useId()
  const { mute } = useMute(conversationId)

  function handleChoice(hours: number | null) {
    onClose()
    mute(hours === null ? null : new Date(serverNow() + hours * hourMs).toISOString())
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={`${id}-title`}>{t('notifications.mute.title')}</DialogTitle>
      <DialogContentText id={`${id}-text`} sx={{ px: 3 }}>
        {t('notifications.mute.text')}
      </DialogContentText>
      <List sx={{ px: 1 }}>
        {choices.map((hours) => (
          <ListItem key={hours} disablePadding>
            <ListItemButton
              sx={{ minHeight: 52, borderRadius: '12px', fontWeight: 600 }}
              onClick={() => handleChoice(hours)}
            >
              {hours === null ? t('notifications.mute.forGood') : t(`notifications.mute.choices.${hours}`)}
            </ListItemButton>
          </ListItem>
        ))}
      </List>
      <DialogActions>
        <Button onClick={onClose}>{t('notifications.mute.cancel')}</Button>
      </DialogActions>
    </Dialog>
  )
}
