import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useTitle } from '../ui/use-title.ts'
import { useClaimAdmin } from './admin.api.ts'
import { readAdminCode } from './admin-code.ts'

/** Shown while the server has no admin. */
export function ClaimForm() {
  useTitle(t('admin.claimTitle'))
  const claim = useClaimAdmin()
  const [opened] = useState(readAdminCode)
  const [code, setCode] = useState(opened ?? '')

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (!claim.isPending && code.trim() !== '') claim.mutate(code)
  }

  return (
    <Column>
      <Stack component="form" noValidate spacing={2.5} onSubmit={handleSubmit}>
        <Typography variant="h2" component="h1">
          {t('admin.claimTitle')}
        </Typography>
        <Typography color="textSecondary">{opened === null ? t('admin.claimText') : t('admin.claimPowers')}</Typography>
        <TextField
          label={t('admin.code')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          fullWidth
          autoComplete="off"
          slotProps={{ htmlInput: { autoCapitalize: 'characters', spellCheck: false, maxLength: 100 } }}
        />
        {claim.isError && <ErrorAlert message={messageOf(claim.error, t('moderation.actionFailed'))} />}
        <LoadingButton type="submit" variant="contained" size="large" isWorking={claim.isPending}>
          {t('admin.claim')}
        </LoadingButton>
      </Stack>
    </Column>
  )
}
