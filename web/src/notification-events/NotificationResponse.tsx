import type { User } from '@hither/contract/users.ts'
import { useEffect, useRef } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { useRespondToPing } from '../pings/responses.mutations.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import type { PushResponse } from './use-push-messages.ts'

interface Props {
  answer: PushResponse
  user: User
  onDone: () => void
}

/** Sends a response that the user gave with a button of a notification. */
export function NotificationResponse({ answer: { ping_id, response_type, revision, reply }, user, onDone }: Props) {
  const { mutateAsync } = useRespondToPing(ping_id, user)
  const { showError, showNotice } = useSnackbar()
  const hasStarted = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the response is sent once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void give().finally(onDone)
  }, [])

  async function give() {
    try {
      const isSent = await mutateAsync({ type: response_type, revision: revision ?? undefined })
      showNotice(isSent ? t('notifications.event.answered') : t('pings.waiting.waiting'))
      reply(null)
    } catch (error) {
      const failure = messageOf(error, t('pings.respondFailed'))
      showError(failure)
      // A hidden page shows the failure as a notification.
      reply(document.visibilityState === 'visible' ? null : failure)
    }
  }

  return null
}
