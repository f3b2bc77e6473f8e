import type { CreatedFriendLink, NewFriendLink } from '@hither/contract/friend-links.ts'
import { friendLinkLimits } from '@hither/contract/runtime/friend-links.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { ToggleChoice } from '../ui/ToggleChoice.tsx'
import { newLinkAdmitsSignup } from './friend-link.rules.ts'
import { failureText, friendLinksQuery, useCreateFriendLink } from './friend-links.api.ts'

interface Props {
  titleId: string
  onCreated: (link: CreatedFriendLink) => void
  onClose: () => void
}

export function LinkForm({ titleId, onCreated, onClose }: Props) {
  const creation = useCreateFriendLink()
  const registration = useQuery(clientConfigQuery()).data?.registration
  const links = useQuery({ ...friendLinksQuery(), enabled: registration === 'invite' }).data
  const admitsSignup = newLinkAdmitsSignup(registration, links)
  const [uses, setUses] = useState<'1' | '5' | '20'>('1')
  const [days, setDays] = useState<'1' | '7' | '30'>('7')
  const [note, setNote] = useState('')

  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (creation.isPending) return
    const link = { uses: Number(uses), days: Number(days), note: note.trim() } as Omit<NewFriendLink, 'kind'>
    // The error is shown below.
    creation.mutateAsync(link).then(onCreated, () => undefined)
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{t('friend-links.link.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2.5} sx={{ pt: 1 }}>
          <Box>
            <Choice
              label={t('friend-links.link.uses')}
              options={(['1', '5', '20'] as const).map(
                (uses) => [uses, t('friend-links.link.usesOption', { count: Number(uses) })] as const,
              )}
              value={uses}
              onChange={setUses}
            />
            <Typography variant="body2" color="textSecondary" aria-live="polite" component="div" sx={{ mt: 1 }}>
              <div>{uses === '1' ? t('friend-links.link.oneUse') : t('friend-links.link.moreUses')}</div>
              {/* Without this text, the reply of the server shows the same. */}
              {admitsSignup !== null && (
                <div>{admitsSignup ? t('friend-links.link.admitsSignup') : t('friend-links.link.needsAccount')}</div>
              )}
            </Typography>
          </Box>
          <Choice
            label={t('friend-links.link.days')}
            options={(['1', '7', '30'] as const).map(
              (days) => [days, t('friend-links.link.daysOption', { count: Number(days) })] as const,
            )}
            value={days}
            onChange={setDays}
          />
          <TextField
            label={t('friend-links.link.note')}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            fullWidth
            autoComplete="off"
            slotProps={{ htmlInput: { maxLength: friendLinkLimits.noteMax } }}
          />
          {creation.isError && <ErrorAlert message={failureText(creation.error)} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={creation.isPending}>
          {t('friend-links.link.create')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}

function Choice<Value extends string>(props: Parameters<typeof ToggleChoice<Value>>[0]) {
  return (
    <Box>
      {/* The group has the same name. */}
      <Typography aria-hidden sx={{ fontWeight: 600, mb: 0.75 }}>
        {props.label}
      </Typography>
      <ToggleChoice {...props} />
    </Box>
  )
}
