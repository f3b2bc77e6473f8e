import AddLinkRounded from '@mui/icons-material/AddLinkRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { invitationsQuery } from '../admin.api.ts'
import { InvitationDialog } from './InvitationDialog.tsx'
import { InvitationRow } from './InvitationRow.tsx'

export function Invitations() {
  const id = useId()
  const invitations = useQuery(invitationsQuery())
  const [isMaking, setIsMaking] = useState(false)
  return (
    <Box component="section" aria-labelledby={id}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
        <Typography id={id} component="h2" variant="h6" sx={{ marginInlineEnd: 'auto' }}>
          {t('admin.invitations')}
        </Typography>
        <Button variant="contained" startIcon={<AddLinkRounded />} onClick={() => setIsMaking(true)}>
          {t('admin.newInvitation')}
        </Button>
      </Box>
      {list()}
      <InvitationDialog open={isMaking} onClose={() => setIsMaking(false)} />
    </Box>
  )

  function list() {
    if (invitations.data === undefined) {
      if (!invitations.isError) return <Skeleton variant="rounded" height={72} />
      return (
        <ErrorAlert
          message={messageOf(invitations.error, t('moderation.loadFailed'))}
          onRetry={() => void invitations.refetch()}
          isRetrying={invitations.isFetching}
        />
      )
    }
    if (invitations.data.length === 0) return <Typography color="textSecondary">{t('admin.noInvitations')}</Typography>
    return (
      <Stack component="ul" aria-labelledby={id} spacing={1} sx={{ m: 0, p: 0 }}>
        {invitations.data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    )
  }
}
