import type { UserId } from '@hither/contract/ids.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf } from '../../api/api-error.ts'
import { CircleChips } from '../../circles/CircleChips.tsx'
import { circlesQuery } from '../../circles/circles.api.ts'
import { FriendPicker } from '../../friends/FriendPicker.tsx'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { summariesQuery } from '../chat.api.ts'
import { useCreateConversation } from '../conversations.mutations.ts'
import { directWith, hasAll, newChatError, toggled, toggledAll } from './new-chat.rules.ts'

export function NewChatForm({ onClose }: { onClose: () => void }) {
  const { data: summaries } = useQuery(summariesQuery())
  const circles = useQuery(circlesQuery()).data ?? []
  const creation = useCreateConversation()
  const navigate = useNavigate()
  const { showError } = useSnackbar()
  const [isGroup, setIsGroup] = useState(false)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<UserId[]>([])
  const [errorText, setErrorText] = useState<string | null>(null)

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (creation.isPending) return
    const found = newChatError({ isGroup, name, chosen })
    setErrorText(found)
    if (found !== null) return
    const known = isGroup ? undefined : directWith(summaries, chosen[0])
    if (known !== undefined) return open(known.id)
    creation.mutate(isGroup ? { name: name.trim(), participant_ids: chosen } : { participant_ids: chosen }, {
      onSuccess: ({ id }) => open(id),
      onError: (error) => showError(isGroup ? t('chat.createFailed') : messageOf(error, t('chat.startFailed'))),
    })
  }

  function open(conversationId: string) {
    onClose()
    void navigate(`/chat/${conversationId}`, { state: { fromList: true } })
  }

  /** Selects the members. A chat with several people is a group. */
  function handleCircle({ member_ids }: { member_ids: readonly UserId[] }) {
    const people = toggledAll(isGroup ? chosen : [], member_ids)
    setIsGroup(isGroup || member_ids.length > 1)
    setChosen(people)
    setErrorText(null)
  }

  function handleToggle(userId: UserId) {
    setChosen(toggled(chosen, userId, isGroup))
    setErrorText(null)
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <FormControlLabel
          control={<Switch checked={isGroup} onChange={(_event, checked) => setIsGroup(checked)} />}
          label={t('chat.newChat.group')}
          sx={{ minHeight: 44, marginInlineStart: 0, marginInlineEnd: 0, justifyContent: 'space-between' }}
          labelPlacement="start"
        />
        {isGroup && (
          <TextField
            label={t('chat.newChat.name')}
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              setErrorText(null)
            }}
            error={errorText !== null && name.trim() === ''}
            autoFocus
            fullWidth
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: messageLimits.groupNameMax } }}
          />
        )}
        {circles.length > 0 && (
          <Box role="group" aria-label={t('chat.newChat.circles')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            <CircleChips
              circles={circles}
              chosen={circles.filter(({ member_ids }) => hasAll(chosen, member_ids)).map(({ id }) => id)}
              onToggle={handleCircle}
            />
          </Box>
        )}
        <FriendPicker
          chosen={chosen}
          label={t('chat.newChat.friends')}
          failedText={t('chat.friendsFailed')}
          emptyText={t('chat.newChat.noFriends')}
          maxHeightPx={280}
          isSingle={!isGroup}
          hintOf={(userId) => (isGroup || !directWith(summaries, userId) ? null : t('chat.newChat.exists'))}
          onToggle={handleToggle}
        />
        {errorText !== null && <ErrorAlert message={errorText} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={creation.isPending}>
          {isGroup ? t('chat.newChat.createGroup') : t('chat.newChat.start')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
