import type { Circle } from '@hither/contract/circles.ts'
import { circleLimits } from '@hither/contract/runtime/circles.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { FriendPicker } from '../friends/FriendPicker.tsx'
import { friendsQuery } from '../friends/friends.api.ts'
import { t } from '../i18n/translate.ts'
import { useLiveStatus } from '../realtime/live-status.ts'
import { CountedField } from '../ui/CountedField.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type CircleForm, circleFormErrors, rebased, toggled } from './circles.rules.ts'

interface Props {
  /** The saved circle, which changes if another device has saved it meanwhile; null for a new one. */
  before: Circle | null
  initial: CircleForm
  submitLabel: string
  isPending: boolean
  error: Error | null
  /** Rejects if the form stays open. */
  onSubmit: (form: CircleForm) => Promise<void>
  onClose: () => void
  /** Content below the fields. */
  children?: ReactNode
}

/** The content of the dialog of a circle. Its errors are shown from the first submission on. */
export function CircleFields({ before, initial, submitLabel, isPending, error, onSubmit, onClose, children }: Props) {
  const friends = useQuery(friendsQuery()).data
  const isOffline = useLiveStatus() === 'offline'
  const [typed, setTyped] = useState(initial)
  const [known, setKnown] = useState(before)
  if (before !== known) {
    setKnown(before)
    if (before !== null && known !== null) setTyped(rebased(typed, known, before))
  }
  const [isChecked, setIsChecked] = useState(false)
  // A friendship may end while the dialog is open.
  const form = { ...typed, memberIds: friends ? typed.memberIds.filter(isFriend) : typed.memberIds }
  const found = circleFormErrors(form, before)
  const refused = error instanceof ApiError ? refusedFields(error) : {}
  const errors = { ...refused, ...(isChecked && found) }

  function isFriend(id: string) {
    return friends?.some(({ user_id }) => user_id === id)
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    // The dialog may have been opened by a form, which would be submitted too.
    event.stopPropagation()
    setIsChecked(true)
    if (isPending || isOffline || Object.keys(found).length > 0) return
    // The dialog shows the error of the mutation.
    onSubmit(form).catch(() => undefined)
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start', '&&': { pt: 1 } }}>
        {error !== null && Object.keys(refused).length === 0 && (
          <ErrorAlert message={messageOf(error, t('circles.saveFailed'))} />
        )}
        <CountedField
          label={t('circles.name')}
          value={form.name}
          max={circleLimits.nameMax}
          error={errors.name}
          autoFocus={before === null}
          onChange={(name) => setTyped({ ...typed, name })}
        />
        <TextField
          label={t('circles.emoji')}
          value={form.emoji}
          onChange={(event) => setTyped({ ...typed, emoji: event.target.value })}
          error={errors.emoji !== undefined}
          helperText={errors.emoji}
          autoComplete="off"
          fullWidth
        />
        <FriendPicker
          chosen={form.memberIds}
          label={t('circles.friends')}
          failedText={t('circles.friendsFailed')}
          emptyText={t('circles.noFriends')}
          maxHeightPx={220}
          onToggle={(id) => setTyped({ ...typed, memberIds: toggled(form.memberIds, id) })}
        />
        <FormHelperText error role="status" sx={{ mx: 0, '&:empty': { mt: -2 } }}>
          {errors.memberIds}
        </FormHelperText>
        {children}
        <Typography role="status" variant="body2" color="textSecondary" sx={{ fontWeight: 600, '&:empty': { mt: -2 } }}>
          {isOffline && t('circles.offline')}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={isPending} isDisabled={isOffline}>
          {submitLabel}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}

const fieldByBodyField: Record<string, keyof CircleForm> = { name: 'name', emoji: 'emoji', member_ids: 'memberIds' }

/** Maps the server's field errors to the fields of the form. */
function refusedFields({ fieldErrors }: ApiError): Partial<Record<keyof CircleForm, string>> {
  return Object.fromEntries(
    fieldErrors.flatMap(({ loc, msg }) => {
      const field = fieldByBodyField[String(loc[1])]
      return field === undefined ? [] : [[field, msg]]
    }),
  )
}
