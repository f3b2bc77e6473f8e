import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import type { Person } from './find-people.ts'
import { useBlockUser } from './friends.api.ts'

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
      .then(() => showNotice(t('friends.blocked', { name })))
      .catch(() => showError(t('friends.blockFailed')))
  }

  return (
    <ConfirmDialog
      open={open}
      title={t('friends.blockTitle', { name })}
      text={t('friends.blockText')}
      confirmLabel={t('friends.blockConfirm')}
      onConfirm={handleBlock}
      onClose={onClose}
    >
      <Box component="ul" sx={{ paddingInlineStart: 2.5, mt: 1.5, mb: 0, color: 'text.secondary' }}>
        {([0, 1, 2] as const).map((index) => (
          <Typography key={index} component="li" sx={{ mb: 0.5 }}>
            {t(`friends.blockConsequences.${index}`)}
          </Typography>
        ))}
      </Box>
    </ConfirmDialog>
  )
}
