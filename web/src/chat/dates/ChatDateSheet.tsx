import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasNoResponse, messageOf } from '../../api/api-error.ts'
import { clientConfigQuery } from '../../api/client-config.ts'
import { useTimeZone } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { useLiveStatus } from '../../realtime/live-status.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { clockTime, longDate } from '../../ui/format-time.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { Sheet } from '../reactions/Sheet.tsx'
import { keepStateOf } from './chat-date.rules.ts'
import { useKeepChat, useTakeBackKeepRequest } from './keep.mutations.ts'

interface Props {
  open: boolean
  conversation: Conversation
  viewer: User
  /** Whether the viewer has created the pin of the chat. */
  isOwner: boolean
  onClose: () => void
}

/** When the chat of a pin ends, and the request to keep it. */
export function ChatDateSheet({ open, conversation, viewer, isOwner, onClose }: Props) {
  const { id, erase_at, participants } = conversation
  useTimeZone()
  const { data: config } = useQuery(clientConfigQuery())
  const isOffline = useLiveStatus() === 'offline'
  const keeping = useKeepChat(id, viewer.id)
  const takingBack = useTakeBackKeepRequest(id)
  const { showError, showNotice } = useSnackbar()
  const [isConfirming, setIsConfirming] = useState(false)
  /** Stays on the screen while the sheet of a chat that was kept is closing. */
  const [date, setDate] = useState(erase_at)
  if (erase_at !== null && erase_at !== date) setDate(erase_at)
  const { isMine, hasOtherAsked, keepsAtOnce } = keepStateOf(conversation, isOwner)
  const count = participants.length
  if (date === null) return null

  function handleTap() {
    if (isMine) return takeBack()
    if (isOffline || !navigator.onLine) return showError(t('chat.date.offline'))
    if (keepsAtOnce) setIsConfirming(true)
    else keep()
  }

  function keep() {
    keeping.mutate(undefined, {
      onSuccess: ({ kept_at }) => {
        if (kept_at === null) return
        onClose()
        showNotice(t('chat.date.stays'))
      },
      onError: (error) =>
        showError(hasNoResponse(error) ? t('chat.date.offline') : messageOf(error, t('chat.date.keepFailed'))),
      onSettled: () => setIsConfirming(false),
    })
  }

  // Undefined if the server erases no new chats, or if it is unknown.
  const days = config?.erasure?.chat_days

  function takeBack() {
    takingBack.mutate(undefined, { onError: (error) => showError(messageOf(error, t('chat.date.takeBackFailed'))) })
  }

  return (
    <>
      <Sheet
        open={open}
        title={t('chat.date.title', { date: longDate(date), time: clockTime(date) })}
        onClose={onClose}
      >
        <Stack spacing={2} sx={{ px: 3, pt: 1 }}>
          <Typography>{days ? t('chat.date.text', { days }) : t('chat.date.textWithoutDays')}</Typography>
          <Typography role="status" sx={{ fontWeight: 600, '&:empty': { display: 'none' } }}>
            {isMine ? t('chat.date.asked') : hasOtherAsked ? t('chat.date.someoneAsked') : null}
          </Typography>
          {/* One button, so that the focus stays on it. */}
          <LoadingButton
            fullWidth
            size="large"
            variant={isMine ? 'outlined' : 'contained'}
            isWorking={keeping.isPending || takingBack.isPending}
            onClick={handleTap}
          >
            {isMine ? t('chat.date.takeBack') : t('chat.date.keep')}
          </LoadingButton>
          {!isMine && (isOwner || !hasOtherAsked) && (
            <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
              {isOwner ? t('chat.date.staysForAll', { count }) : t('chat.date.staysWithAnother')}
            </Typography>
          )}
        </Stack>
      </Sheet>
      <ConfirmDialog
        open={open && isConfirming}
        title={t('chat.date.confirmTitle', { count })}
        text={t('chat.date.confirmText')}
        confirmLabel={t('chat.date.confirm')}
        confirmColor="primary"
        isWorking={keeping.isPending}
        onConfirm={keep}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}
