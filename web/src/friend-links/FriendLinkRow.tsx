import type { FriendLink } from '@hither/contract/friend-links.ts'
import LinkRounded from '@mui/icons-material/LinkRounded'
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { forgetCode } from './code/use-my-code.ts'
import { failureText, useRevokeFriendLink } from './friend-links.api.ts'
import { listStrings as strings } from './strings.ts'

export function FriendLinkRow({ link }: { link: FriendLink }) {
  const revocation = useRevokeFriendLink()
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)
  const name = link.note || strings.untitled
  const Icon = link.kind === 'qr' ? QrCode2Rounded : LinkRounded

  function handleRevoke() {
    setIsAsking(false)
    revocation
      .mutateAsync(link)
      .then(() => {
        forgetCode(link.id)
        showNotice(strings.revoked)
      })
      .catch((error: unknown) => showError(failureText(error, strings.revokeFailed)))
  }

  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2,
        py: 1.5,
        listStyle: 'none',
        '&:not(:last-child)': { borderBottom: 1, borderColor: 'divider' },
      }}
    >
      <Icon sx={{ color: 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 600 }}>{name}</Typography>
        <Typography variant="body2" color="textSecondary">
          {strings.usage(link.uses_max - link.uses_left, link.uses_max)} · {strings.expires}{' '}
          <RelativeTime at={link.expires_at} />
        </Typography>
        {link.used_by.length > 0 && (
          <Typography variant="body2" color="textSecondary">
            {strings.usedBy(link.used_by.map(({ username }) => username))}
          </Typography>
        )}
      </Box>
      <Button
        color="error"
        aria-label={strings.revokeOf(name)}
        onClick={() => setIsAsking(true)}
        sx={{ flexShrink: 0 }}
      >
        {strings.revoke}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={strings.revokeTitle}
        text={strings.revokeText}
        confirmLabel={strings.revoke}
        onConfirm={handleRevoke}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}
