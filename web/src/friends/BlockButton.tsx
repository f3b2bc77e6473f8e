import { type UserId } from '@hither/contract/ids.ts'
import BlockRounded from '@mui/icons-material/BlockRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useBlockUser } from './friends.api.ts'
import { friendStrings } from './strings.ts'

interface Props {
  userId: UserId
  username: string
}

/** Asks first, and tells what blocking does. */
export function BlockButton({ userId, username }: Props) {
  const block = useBlockUser()
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)

  function handleBlock() {
    setIsAsking(false)
    block
      .mutateAsync({ userId, username })
      .then(() => showNotice(friendStrings.blocked(username)))
      .catch(() => showError(friendStrings.blockFailed))
  }

  return (
    <>
      <IconButton title={friendStrings.block(username)} onClick={() => setIsAsking(true)}>
        <BlockRounded />
      </IconButton>
      <ConfirmDialog
        open={isAsking}
        title={friendStrings.blockTitle(username)}
        text={friendStrings.blockText}
        confirmLabel={friendStrings.blockConfirm}
        onConfirm={handleBlock}
        onClose={() => setIsAsking(false)}
      >
        <Box component="ul" sx={{ pl: 2.5, mt: 1.5, mb: 0, color: 'text.secondary' }}>
          {friendStrings.blockConsequences.map((text) => (
            <Typography key={text} component="li" sx={{ mb: 0.5 }}>
              {text}
            </Typography>
          ))}
        </Box>
      </ConfirmDialog>
    </>
  )
}
