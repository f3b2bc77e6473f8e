import type { Friend } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useRemoveFriend } from './friends.api.ts'

/** Asks for confirmation and removes the friend. */
export function RemoveFriendDialog({ open, friend, onClose }: { open: boolean; friend: Friend; onClose: () => void }) {
  const removal = useRemoveFriend()
  const { showError } = useSnackbar()

  function handleRemove() {
    onClose()
    removal.mutateAsync(friend).catch(() => showError(t('friends.removeFailed')))
  }

  return (
    <ConfirmDialog
      open={open}
      title={t('friends.removeTitle')}
      text={t('friends.removeText')}
      confirmLabel={t('friends.removeConfirm')}
      onConfirm={handleRemove}
      onClose={onClose}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: 2.5 }}>
        <UserAvatar userId={friend.user_id} name={shownName(friend)} hasImage={friend.has_image} />
        <Typography variant="subtitle1" component="p" noWrap>
          <bdi>{shownName(friend)}</bdi>
        </Typography>
      </Box>
    </ConfirmDialog>
  )
}
