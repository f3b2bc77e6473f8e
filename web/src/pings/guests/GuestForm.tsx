import type { ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { ResponseChoice } from '../view/ResponseChoice.tsx'
import type { GuestAnswer } from './guest.rules.ts'
import { isGuestName } from './guest-name.rules.ts'
import { rememberedName } from './stored-guests.ts'
import type { GuestFormErrors } from './use-guest-response.ts'

interface Props {
  owner: string
  /** Null before an answer is chosen. */
  draft: GuestAnswer | null
  errors: GuestFormErrors
  canRespond: boolean
  isSending: boolean
  /** Whether the form changes a response, which stays if the form is closed. */
  isChange: boolean
  /** Null closes the form. */
  onDraft: (draft: GuestAnswer | null) => void
  onSubmit: (answer: GuestAnswer) => void
}

/** Asks for the answer, then for the name. A form that was filled in stays, also if the ping takes no responses any more. */
export function GuestForm({ owner, draft, errors, canRespond, isSending, isChange, onDraft, onSubmit }: Props) {
  const general = errors.general !== null && <ErrorAlert message={errors.general} />
  if (draft === null && !canRespond) {
    return general || <Typography color="textSecondary">{t('errors.guests_not_allowed')}</Typography>
  }

  function handleChoose(response_type: ResponseType) {
    onDraft({ name: draft?.name ?? rememberedName(), response_type })
  }

  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Typography component="h2" variant="subtitle1">
        {t('pings.respondTitle')}
      </Typography>
      <ResponseChoice chosen={draft?.response_type ?? null} onChoose={handleChoose} />
      {draft !== null && (
        <NameForm
          owner={owner}
          draft={draft}
          refused={errors.name}
          isSending={isSending}
          isChange={isChange}
          onDraft={onDraft}
          onSubmit={onSubmit}
        />
      )}
      <Box aria-live="polite" sx={{ '&:empty': { mt: -1.5 } }}>
        {general}
      </Box>
    </Box>
  )
}

interface NameProps extends Pick<Props, 'owner' | 'isSending' | 'isChange' | 'onDraft' | 'onSubmit'> {
  draft: GuestAnswer
  refused: string | null
}

function NameForm({ owner, draft, refused, isSending, isChange, onDraft, onSubmit }: NameProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isChecked, setIsChecked] = useState(false)
  const error = refused ?? (isChecked && !isGuestName(draft.name) ? t('pings.guests.nameInvalid') : null)

  // Also when another answer is chosen, because the tap has moved the focus to its button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => input.current?.focus(), [draft.response_type])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (isSending) return
    setIsChecked(true)
    if (isGuestName(draft.name)) onSubmit({ ...draft, name: draft.name.trim() })
    else input.current?.focus()
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'grid', gap: 1.5, pt: 0.5 }}>
      <TextField
        label={t('pings.guest.yourName')}
        autoComplete="nickname"
        value={draft.name}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
        error={error !== null}
        helperText={error ?? t('pings.guest.nameHelp', { owner })}
        inputRef={input}
        fullWidth
      />
      <Typography variant="body2" color="textSecondary">
        {t('pings.guest.noAccountNeeded')}
      </Typography>
      <LoadingButton type="submit" variant="contained" size="large" isWorking={isSending}>
        {t('pings.guest.send')}
      </LoadingButton>
      {isChange && <Button onClick={() => onDraft(null)}>{t('ui.cancel')}</Button>}
    </Box>
  )
}
