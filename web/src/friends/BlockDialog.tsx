import { type UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useBlockUser } from './friends.api.ts'
import { friendStrings } from './strings.ts'

interface Props {
  open: boolean
  userId: UserId
  username: string
  onClose: () => void
}

/** Asks first, and tells what blocking does. */
export function BlockDialog({ open, userId, username, onClose }: Props) {
  const block = useBlockUser()
  const { showError, showNotice } = useSnackbar()

  function handleBlock() {
    onClose()
    block
      .mutateAsync({ userId, username })
      .then(() => showNotice(friendStrings.blocked(username)))
      .catch(() => showError(friendStrings.blockFailed))
  }

  return (
    <ConfirmDialog
      open={open}
      title={friendStrings.blockTitle(username)}
      text={friendStrings.blockText}
      confirmLabel={friendStrings.blockConfirm}
      onConfirm={handleBlock}
      onClose={onClose}
    >
      <Box component="ul" sx={{ pl: 2.5, mt: 1.5, mb: 0, color: 'text.secondary' }}>
        {friendStrings.blockConsequences.map((text) => (
          <Typography key={text} component="li" sx={{ mb: 0.5 }}>
            {text}
          </Typography>
        ))}
      </Box>
    </ConfirmDialog>
  )
}
