import { useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { Outgoing } from './message-outbox.ts'

/** Shows a notice once when the server refuses a message. */
export function useSendFailures(outgoing: readonly Outgoing[]) {
  const { showError } = useSnackbar()
  const waiting = useRef<ReadonlySet<string>>(new Set())

  useEffect(() => {
    const failed = outgoing.filter(({ state }) => state === 'failed')
    if (failed.some(({ client_id }) => waiting.current.has(client_id))) showError(t('chat.sendFailed'))
    waiting.current = new Set(outgoing.filter(({ state }) => state === 'waiting').map(({ client_id }) => client_id))
  }, [outgoing, showError])
}
