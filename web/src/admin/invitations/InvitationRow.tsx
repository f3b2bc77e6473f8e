import type { Invitation } from '@hither/contract/invitations.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useServerNow } from '../../api/server-time.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useRevokeInvitation } from '../admin.api.ts'
import { adminStrings as strings } from '../strings.ts'

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const revocation = useRevokeInvitation()
  const { showError, showNotice } = useSnackbar()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const isExpired = Date.parse(invitation.expires_at) <= useServerNow(60_000)
  const name = invitation.note || strings.unnamed

  function handleRevoke() {
    setIsDialogOpen(false)
    revocation
      .mutateAsync(invitation.id)
      .then(() => showNotice(strings.revoked))
      .catch((error: unknown) => showError(messageOf(error, strings.actionFailed)))
  }

  return (
    <Card component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, py: 1.25 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" color="textSecondary">
          {strings.usesLeft(invitation.uses_left, invitation.uses_max)},{' '}
          {isExpired ? (
            strings.ranOut
          ) : (
            <>
              {strings.runsOut} <RelativeTime at={invitation.expires_at} />
            </>
          )}
          {invitation.created_by_username !== null && `, ${strings.by} ${invitation.created_by_username}`}
        </Typography>
      </Box>
      <Button color="error" aria-label={strings.revokeOf(name)} onClick={() => setIsDialogOpen(true)}>
        {strings.revoke}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        title={strings.revokeTitle}
        text={strings.revokeText}
        confirmLabel={strings.revoke}
        onConfirm={handleRevoke}
        onClose={() => setIsDialogOpen(false)}
      />
    </Card>
  )
}
