import type { OwnPing, PingStatus } from '@hither/contract/pings.ts'
import EditRounded from '@mui/icons-material/EditRounded'
import EventBusyRounded from '@mui/icons-material/EventBusyRounded'
import PersonAddRounded from '@mui/icons-material/PersonAddRounded'
import Box from '@mui/material/Box'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import { useIsOffline } from './use-is-offline.ts'

const EditPingDialog = lazyComponent(async () => (await import('./EditPingDialog.tsx')).EditPingDialog)
const InviteMoreDialog = lazyComponent(async () => (await import('./InviteMoreDialog.tsx')).InviteMoreDialog)
const CancelPingDialog = lazyComponent(async () => (await import('./CancelPingDialog.tsx')).CancelPingDialog)

const choices = [
  { dialog: 'edit', label: t('pings.edit.edit'), icon: <EditRounded /> },
  { dialog: 'invite', label: t('pings.invite.more'), icon: <PersonAddRounded /> },
  { dialog: 'cancel', label: t('pings.cancel.cancel'), icon: <EventBusyRounded /> },
] as const

/** The buttons that edit and cancel a ping and invite more friends. Open dialogs stay when the ping ends. */
export function OwnerChanges({ ping, status }: { ping: OwnPing; status: PingStatus }): ReactNode {
  const id = useId()
  const isOffline = useIsOffline()
  const [open, setOpen] = useState<(typeof choices)[number]['dialog'] | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {status !== 'expired' && (
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {choices.map(({ dialog, label, icon }) => (
              <LoadingButton
                key={dialog}
                variant={dialog === 'edit' ? 'contained' : 'outlined'}
                startIcon={icon}
                aria-haspopup="dialog"
                isWorking={false}
                isDisabled={isOffline}
                {...(isOffline && { 'aria-describedby': id })}
                onClick={() => setOpen(dialog)}
              >
                {label}
              </LoadingButton>
            ))}
          </Box>
          <OfflineNote id={id} />
        </Box>
      )}
      <EditPingDialog open={open === 'edit'} ping={ping} onClose={close} />
      <InviteMoreDialog open={open === 'invite'} ping={ping} onClose={close} />
      <CancelPingDialog open={open === 'cancel'} ping={ping} onClose={close} />
    </>
  )
}
