import { shownName } from '@hither/contract/runtime/users.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { AddByLink } from './AddFriendDialog.tsx'
import { FoundPerson } from './FoundPerson.tsx'
import { useLookupUser, useSendFriendRequest } from './friends.api.ts'

const closeAfterMs = 1500

interface Props {
  onDone: () => void
  onText?: AddByLink['open'] | undefined
}

export function AddFriendForm({ onDone, onText }: Props) {
  const lookup = useLookupUser()
  const request = useSendFriendRequest()
  const [username, setUsername] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const [linkProblem, setLinkProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const isSent = request.isSuccess

  useEffect(() => {
    if (!isSent) return
    const timer = setTimeout(onDone, closeAfterMs)
    return () => clearTimeout(timer)
  }, [isSent, onDone])

  function handleSearch(event: SubmitEvent) {
    event.preventDefault()
    const wanted = username.trim()
    setIsMissing(wanted === '')
    if (wanted === '') return field.current?.focus()
    if (lookup.isPending || linkProblem !== null) return
    request.reset()
    lookup.mutate(wanted)
  }

  function handleChange(value: string) {
    setUsername(value)
    setIsMissing(false)
    lookup.reset()
    request.reset()
    const link = onText?.(value)
    setLinkProblem(typeof link === 'object' ? link.problem : null)
    if (link === 'opened') onDone()
  }

  return (
    <Stack spacing={2.5}>
      <Box
        component="form"
        noValidate
        onSubmit={handleSearch}
        sx={{ display: 'flex', gap: 1.5, pt: 1, alignItems: 'flex-start' }}
      >
        <TextField
          label={t('friends.username')}
          value={username}
          onChange={(event) => handleChange(event.target.value)}
          inputRef={field}
          error={isMissing}
          helperText={isMissing ? t('friends.usernameMissing') : t('friends.usernameHelper')}
          autoFocus
          fullWidth
          autoComplete="off"
          slotProps={{
            htmlInput: { autoCapitalize: 'none', spellCheck: false, enterKeyHint: 'search', maxLength: 500 },
          }}
        />
        <LoadingButton type="submit" variant="outlined" isWorking={lookup.isPending} sx={{ height: 56, flexShrink: 0 }}>
          {t('friends.search')}
        </LoadingButton>
      </Box>
      <Stack spacing={2} aria-live="polite">
        {linkProblem !== null && <ErrorAlert message={linkProblem} />}
        {lookup.isError && <ErrorAlert message={searchFailure(lookup.error)} />}
        {lookup.data && (
          <FoundPerson
            person={lookup.data}
            isSending={request.isPending}
            canSend={!isSent}
            onSend={() => request.mutate(lookup.data.username)}
          />
        )}
        {request.isError && <ErrorAlert message={messageOf(request.error, t('friends.requestFailed'))} />}
        {request.data && (
          <Alert severity="success" role="status">
            {request.data.status === 'accepted'
              ? t('friends.accepted', { name: shownName(request.data) })
              : t('friends.requestSent')}
          </Alert>
        )}
      </Stack>
    </Stack>
  )
}

/** An invalid name is reported as not found, whatever the server's reason. */
function searchFailure(error: unknown): string {
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return isUnknown ? t('errors.user_not_found') : messageOf(error, t('errors.user_not_found'))
}
