import type { Invitation } from '@hither/contract/invitations.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useRevokeInvitation } from '../admin.api.ts'

export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const revocation = useRevokeInvitation()
  const { showError, showNotice } = useSnackbar()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const isExpired = Date.parse(invitation.expires_at) <= useServerNow(60_000)
  const name = invitation.note || t('admin.unnamed')

  function handleRevoke() {
    setIsDialogOpen(false)
    revocation
      .mutateAsync(invitation.id)
      .then(() => showNotice(t('admin.revoked')))
      .catch((error: unknown) => showError(messageOf(error, t('moderation.actionFailed'))))
  }

  return (
    <Card component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, py: 1.25 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t('admin.usesLeft', { left: invitation.uses_left, max: invitation.uses_max })},{' '}
          {isExpired ? (
            t('admin.ranOut')
          ) : (
            <>
              {t('admin.runsOut')} <RelativeTime at={invitation.expires_at} />
            </>
          )}
          {invitation.created_by_username !== null && `, ${t('admin.by')} ${invitation.created_by_username}`}
        </Typography>
      </Box>
      <Button color="error" aria-label={t('admin.revokeOf', { note: name })} onClick={() => setIsDialogOpen(true)}>
        {t('admin.revoke')}
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        title={t('admin.revokeTitle')}
        text={t('admin.revokeText')}
        confirmLabel={t('admin.revoke')}
        onConfirm={handleRevoke}
        onClose={() => setIsDialogOpen(false)}
      />
    </Card>
  )
}
