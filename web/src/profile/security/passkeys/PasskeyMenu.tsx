import type { Passkey } from '@hither/contract/auth/passkeys.ts'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { lazyComponent } from '../../../ui/lazy.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { useRecentSignIn } from '../recent-sign-in/use-recent-sign-in.tsx'
import { useRemovePasskey } from './passkeys.api.ts'

const RenamePasskeyDialog = lazyComponent(async () => (await import('./RenamePasskeyDialog.tsx')).RenamePasskeyDialog)

export function PasskeyMenu({ passkey }: { passkey: Passkey }) {
  const removal = useRemovePasskey()
  const { run, question } = useRecentSignIn()
  const { showError, showNotice } = useSnackbar()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null)

  function ask(what: 'rename' | 'remove') {
    setAnchor(null)
    setAsking(what)
  }

  async function handleRemove() {
    setAsking(null)
    try {
      const removed = await run(async (proof) => {
        await removal.mutateAsync({ id: passkey.id, ...proof })
        return true
      })
      if (removed) showNotice(t('profile.signIn.removed'))
    } catch (error) {
      showError(signInMessageOf(error, t('profile.signIn.failed')))
    }
  }

  return (
    <Box sx={{ flexShrink: 0 }}>
      <IconButton
        title={t('profile.signIn.moreAbout', { name: passkey.name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => ask('rename')}>{t('profile.signIn.rename')}</MenuItem>
        <MenuItem onClick={() => ask('remove')} sx={{ color: 'error.main' }}>
          {t('profile.signIn.remove')}
        </MenuItem>
      </Menu>
      <RenamePasskeyDialog open={asking === 'rename'} passkey={passkey} onClose={() => setAsking(null)} />
      <ConfirmDialog
        open={asking === 'remove'}
        title={t('profile.signIn.removeTitle')}
        text={t('profile.signIn.removeText')}
        confirmLabel={t('profile.signIn.remove')}
        onConfirm={() => void handleRemove()}
        onClose={() => setAsking(null)}
      />
      {question}
    </Box>
  )
}
