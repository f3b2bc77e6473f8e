import type { AdminUser } from '@hither/contract/moderation.ts'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useAppointAdmin, useDismissAdmin, useLiftSuspension } from '../admin.api.ts'
import { SuspendDialog } from './SuspendDialog.tsx'

const ResetLinkDialog = lazyComponent(async () => (await import('./ResetLinkDialog.tsx')).ResetLinkDialog)

type Question = 'suspend' | 'appoint' | 'reset'

export function AdminPersonMenu({ person }: { person: AdminUser }) {
  const lifting = useLiftSuspension()
  const appointment = useAppointAdmin()
  const dismissal = useDismissAdmin()
  const { showError, showNotice } = useSnackbar()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<Question | null>(null)
  const { id, username } = person

  function ask(what: Question) {
    setAnchor(null)
    setAsking(what)
  }

  async function run(work: Promise<unknown>, done: string) {
    setAnchor(null)
    setAsking(null)
    try {
      await work
      showNotice(done)
    } catch (error) {
      showError(messageOf(error, t('moderation.actionFailed')))
    }
  }

  return (
    <Box sx={{ flexShrink: 0 }}>
      <IconButton
        title={t('admin.moreAbout', { name: username })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {person.suspension && (
          <MenuItem onClick={() => void run(lifting.mutateAsync(id), t('admin.lifted', { name: username }))}>
            {t('admin.lift')}
          </MenuItem>
        )}
        {!person.is_admin && !person.suspension && (
          <MenuItem onClick={() => ask('appoint')}>{t('admin.appoint')}</MenuItem>
        )}
        {person.is_admin && (
          <MenuItem onClick={() => void run(dismissal.mutateAsync(id), t('admin.dismissedAdmin', { name: username }))}>
            {t('admin.dismissAdmin')}
          </MenuItem>
        )}
        {!person.is_admin && <MenuItem onClick={() => ask('reset')}>{t('admin.createResetLink')}</MenuItem>}
        {!person.is_admin && (
          <MenuItem onClick={() => ask('suspend')} sx={{ color: 'error.main' }}>
            {t('admin.suspend')}
          </MenuItem>
        )}
      </Menu>
      <SuspendDialog open={asking === 'suspend'} person={person} onClose={() => setAsking(null)} />
      <ResetLinkDialog open={asking === 'reset'} person={person} onClose={() => setAsking(null)} />
      <ConfirmDialog
        open={asking === 'appoint'}
        title={t('admin.appointTitle', { name: username })}
        text={t('admin.appointText')}
        confirmLabel={t('admin.appoint')}
        onConfirm={() => void run(appointment.mutateAsync(id), t('admin.appointed', { name: username }))}
        onClose={() => setAsking(null)}
      />
    </Box>
  )
}
