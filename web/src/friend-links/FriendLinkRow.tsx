import type { FriendLink } from '@hither/contract/friend-links.ts'
import LinkRounded from '@mui/icons-material/LinkRounded'
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { listText } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { forgetCode } from './code/use-my-code.ts'
import { failureText, useRevokeFriendLink } from './friend-links.api.ts'

export function FriendLinkRow({ link }: { link: FriendLink }) {
  const revocation = useRevokeFriendLink()
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)
  const name = link.note || t('friend-links.list.untitled')
  const Icon = link.kind === 'qr' ? QrCode2Rounded : LinkRounded

  function handleRevoke() {
    setIsAsking(false)
    revocation
      .mutateAsync(link)
      .then(() => {
        forgetCode(link.id)
        showNotice(t('friend-links.list.revoked'))
      })
      .catch((error: unknown) => showError(failureText(error, t('friend-links.list.revokeFailed'))))
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
          {t('friend-links.list.usage', { used: link.uses_max - link.uses_left, max: link.uses_max })} ·{' '}
          {t('friend-links.list.expires')} <RelativeTime at={link.expires_at} />
        </Typography>
        {link.used_by.length > 0 && (
          <Typography variant="body2" color="textSecondary">
            {t('friend-links.list.usedBy', { names: listText(link.used_by.map(({ username }) => username)) })}
          </Typography>
        )}
      </Box>
      <Button
        color="error"
        aria-label={t('friend-links.list.revokeOf', { name })}
        onClick={() => setIsAsking(true)}
        sx={{ flexShrink: 0 }}
      >
        {t('friend-links.list.revoke')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('friend-links.list.revokeTitle')}
        text={t('friend-links.list.revokeText')}
        confirmLabel={t('friend-links.list.revoke')}
        onConfirm={handleRevoke}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}
