import type { RegistrationMode } from '@hither/contract/invitations.ts'
import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { RadioChoice } from '../../moderation/RadioChoice.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { statusQuery, useSetRegistration } from '../admin.api.ts'
import { Invitations } from './Invitations.tsx'
import { MemberInvitesCard } from './MemberInvitesCard.tsx'

const modes: readonly RegistrationMode[] = ['open', 'invite', 'closed']

export function EntranceTab() {
  const status = useQuery(statusQuery())
  const setting = useSetRegistration()
  const { showError, showNotice } = useSnackbar()
  const [chosen, setChosen] = useState<RegistrationMode | null>(null)
  const mode = chosen ?? status.data?.registration

  function handleChange(mode: RegistrationMode) {
    setChosen(mode)
    setting
      .mutateAsync({ mode })
      .then(() => showNotice(t('admin.registrationSaved')))
      .catch((error: unknown) => showError(messageOf(error, t('moderation.actionFailed'))))
      .finally(() => setChosen(null))
  }

  return (
    <Stack spacing={3}>
      <Card sx={{ p: 2 }}>
        {mode !== undefined && (
          <RadioChoice
            label={t('admin.registration')}
            options={modes.map((value) => ({ value, label: t(`admin.modes.${value}`) }))}
            value={mode}
            onChange={handleChange}
          />
        )}
        {mode === undefined && !status.isError && <Skeleton variant="rounded" height={150} />}
        {mode === undefined && status.isError && (
          <Box>
            <ErrorAlert
              message={messageOf(status.error, t('moderation.loadFailed'))}
              onRetry={() => void status.refetch()}
              isRetrying={status.isFetching}
            />
          </Box>
        )}
      </Card>
      {mode === 'invite' && status.data && <MemberInvitesCard stored={status.data.member_invites} />}
      <Invitations />
    </Stack>
  )
}
