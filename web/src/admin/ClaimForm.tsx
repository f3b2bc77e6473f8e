import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useTitle } from '../ui/use-title.ts'
import { useClaimAdmin } from './admin.api.ts'
import { readAdminCode } from './admin-code.ts'
import { adminStrings as strings } from './strings.ts'

/** Shown while the server has no admin. */
export function ClaimForm() {
  useTitle(strings.claimTitle)
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
          {strings.claimTitle}
        </Typography>
        <Typography color="textSecondary">{opened === null ? strings.claimText : strings.claimPowers}</Typography>
        <TextField
          label={strings.code}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          fullWidth
          autoComplete="off"
          slotProps={{ htmlInput: { autoCapitalize: 'characters', spellCheck: false, maxLength: 100 } }}
        />
        {claim.isError && <ErrorAlert message={messageOf(claim.error, strings.actionFailed)} />}
        <LoadingButton type="submit" variant="contained" size="large" isWorking={claim.isPending}>
          {strings.claim}
        </LoadingButton>
      </Stack>
    </Column>
  )
}
