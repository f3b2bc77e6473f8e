import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import type { Person } from './find-people.ts'
import { useBlockUser } from './friends.api.ts'
import { friendStrings } from './strings.ts'

interface Props {
  open: boolean
  person: Person
  onClose: () => void
  /** Called when the user was blocked on this device; the server may still refuse. */
  onBlock?: () => void
}

/** Asks for confirmation and explains the effects of blocking. */
export function BlockDialog({ open, person, onClose, onBlock }: Props) {
  const block = useBlockUser()
  const { showError, showNotice } = useSnackbar()
  const name = shownName(person)

  function handleBlock() {
    onClose()
    onBlock?.()
    block
      .mutateAsync(person)
      .then(() => showNotice(friendStrings.blocked(name)))
      .catch(() => showError(friendStrings.blockFailed))
  }

  return (
    <ConfirmDialog
      open={open}
      title={friendStrings.blockTitle(name)}
      text={friendStrings.blockText}
      confirmLabel={friendStrings.blockConfirm}
      onConfirm={handleBlock}
      onClose={onClose}
    >
      <Box component="ul" sx={{ paddingInlineStart: 2.5, mt: 1.5, mb: 0, color: 'text.secondary' }}>
        {friendStrings.blockConsequences.map((text) => (
          <Typography key={text} component="li" sx={{ mb: 0.5 }}>
            {text}
          </Typography>
        ))}
      </Box>
    </ConfirmDialog>
  )
}
