import type { OwnPing, PingStatus, Recipient } from '@hither/contract/pings.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { InviteeList } from '../view/InviteeList.tsx'
import { writeErrorText } from '../view/write-error-text.ts'
import { useRemoveInvitee } from './edit-ping.mutations.ts'
import { useIsOffline } from './use-is-offline.ts'

/** The invitees of an own ping, each with a button that removes the person. */
export function Invitees({ ping, status }: { ping: OwnPing; status: PingStatus }) {
  const removal = useRemoveInvitee(ping.id)
  const isOffline = useIsOffline()
  const { showError } = useSnackbar()
  const [removed, setRemoved] = useState<Recipient | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const hasRemoved = useRef(false)
  const name = removed === null ? '' : nameOf(removed)

  // The button that opened the dialog is gone with its person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a person is gone
  useEffect(() => {
    if (hasRemoved.current) list.current?.focus({ preventScroll: true })
    hasRemoved.current = false
  }, [ping.recipients.length])

  function handleAsk(person: Recipient) {
    setRemoved(person)
    setIsAsking(true)
  }

  function handleRemove() {
    setIsAsking(false)
    if (removed === null) return
    hasRemoved.current = true
    removal
      .mutateAsync(removed.recipient_id)
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.removeInviteeFailed'))))
  }

  function buttonFor(person: Recipient) {
    return (
      <IconButton
        aria-label={t('pings.remove.removeName', { name: nameOf(person) })}
        aria-haspopup="dialog"
        aria-disabled={isOffline}
        onClick={() => !isOffline && handleAsk(person)}
        sx={isOffline ? { opacity: 0.4 } : {}}
      >
        <CloseRounded fontSize="small" />
      </IconButton>
    )
  }

  return (
    <Box>
      <InviteeList listRef={list} people={ping.recipients} {...(status !== 'expired' && { actionOf: buttonFor })} />
      <ConfirmDialog
        open={isAsking}
        title={t('pings.remove.title', { name })}
        text={t('pings.remove.text', { name })}
        confirmLabel={t('pings.remove.remove')}
        onConfirm={handleRemove}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}

function nameOf({ recipient_display_name, recipient_username }: Recipient): string {
  return recipient_display_name ?? recipient_username
}
