import type { AdminUser } from '@hither/contract/moderation.ts'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useAppointAdmin, useDismissAdmin, useLiftSuspension } from '../admin.api.ts'
import { adminStrings as strings } from '../strings.ts'
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
      showError(messageOf(error, strings.actionFailed))
    }
  }

  return (
    <Box sx={{ flexShrink: 0 }}>
      <IconButton
        title={strings.moreAbout(username)}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {person.suspension && (
          <MenuItem onClick={() => void run(lifting.mutateAsync(id), strings.lifted(username))}>
            {strings.lift}
          </MenuItem>
        )}
        {!person.is_admin && !person.suspension && (
          <MenuItem onClick={() => ask('appoint')}>{strings.appoint}</MenuItem>
        )}
        {person.is_admin && (
          <MenuItem onClick={() => void run(dismissal.mutateAsync(id), strings.dismissedAdmin(username))}>
            {strings.dismissAdmin}
          </MenuItem>
        )}
        {!person.is_admin && <MenuItem onClick={() => ask('reset')}>{strings.createResetLink}</MenuItem>}
        {!person.is_admin && (
          <MenuItem onClick={() => ask('suspend')} sx={{ color: 'error.main' }}>
            {strings.suspend}
          </MenuItem>
        )}
      </Menu>
      <SuspendDialog open={asking === 'suspend'} person={person} onClose={() => setAsking(null)} />
      <ResetLinkDialog open={asking === 'reset'} person={person} onClose={() => setAsking(null)} />
      <ConfirmDialog
        open={asking === 'appoint'}
        title={strings.appointTitle(username)}
        text={strings.appointText}
        confirmLabel={strings.appoint}
        onConfirm={() => void run(appointment.mutateAsync(id), strings.appointed(username))}
        onClose={() => setAsking(null)}
      />
    </Box>
  )
}
