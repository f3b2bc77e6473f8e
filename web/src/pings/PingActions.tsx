import { type ConversationId } from '@hither/contract/ids.ts'
import { type PingStatus } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import EventRounded from '@mui/icons-material/EventRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { saveCalendarEntry } from './calendar.ts'
import { type ShownPing } from './ping-shapes.ts'
import { useEnterPingChat, useStartPingChat } from './pings.api.ts'
import { pingStrings } from './strings.ts'

interface Props {
  ping: ShownPing
  viewer: User | null
  status: PingStatus
}

/** Its chat for those who are invited, and its date for whoever may see it. */
export function PingActions({ ping, viewer, status }: Props) {
  const navigate = useNavigate()
  const entering = useEnterPingChat()
  const starting = useStartPingChat()
  const { showError } = useSnackbar()
  const [isSaving, setIsSaving] = useState(false)
  const chatId = 'recipients' in ping && viewer !== null ? ping.conversation_id : null
  const isOwn = viewer !== null && 'user_id' in ping && ping.user_id === viewer.id
  const canStart = isOwn && 'recipients' in ping && chatId === null && ping.recipients.length > 1
  const isScheduled = status === 'pending'
  if (chatId === null && !isScheduled && !(canStart && status !== 'expired')) return null

  async function handleOpen(id: ConversationId) {
    try {
      await entering.mutateAsync(id)
      navigate(`/chat/${id}`)
    } catch (error) {
      showError(messageOf(error, pingStrings.openChatFailed))
    }
  }

  async function handleStart() {
    if (!('recipients' in ping)) return
    try {
      const { id } = await starting.mutateAsync(ping)
      navigate(`/chat/${id}`)
    } catch (error) {
      showError(messageOf(error, pingStrings.startChatFailed))
    }
  }

  async function handleSave() {
    setIsSaving(true)
    try {
      await saveCalendarEntry(ping.id)
    } catch {
      showError(pingStrings.calendarFailed)
    }
    setIsSaving(false)
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {chatId !== null && (
        <LoadingButton
          variant="contained"
          startIcon={<ChatBubbleOutlineRounded />}
          isWorking={entering.isPending}
          onClick={() => handleOpen(chatId)}
        >
          {pingStrings.openChat}
        </LoadingButton>
      )}
      {canStart && status !== 'expired' && (
        <LoadingButton
          variant="outlined"
          startIcon={<ChatBubbleOutlineRounded />}
          isWorking={starting.isPending}
          onClick={handleStart}
        >
          {pingStrings.startChat}
        </LoadingButton>
      )}
      {isScheduled && (
        <Button variant="outlined" startIcon={<EventRounded />} aria-busy={isSaving} onClick={handleSave}>
          {pingStrings.addToCalendar}
        </Button>
      )}
    </Box>
  )
}
