import { type User } from '@hither/contract/users.ts'
import { useEffect, useRef } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useRespondToPing } from '../pings/pings.api.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { eventStrings as strings } from './strings.ts'
import { type Given } from './use-push-messages.ts'

interface Props {
  answer: Given
  user: User
  onDone: () => void
}

/** Sends an answer that was given by a button of a notification, as if it had been given here. */
export function GivenAnswer({ answer: { ping_id, response_type, tell }, user, onDone }: Props) {
  const { mutateAsync } = useRespondToPing(ping_id, user)
  const { showError, showNotice } = useSnackbar()
  const isGiven = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is given once
  useEffect(() => {
    if (isGiven.current) return
    isGiven.current = true
    void give().finally(onDone)
  }, [])

  async function give() {
    try {
      await mutateAsync(response_type)
      showNotice(strings.answered)
      tell(null)
    } catch (error) {
      const failure = messageOf(error, strings.answerFailed)
      showError(failure)
      // Where nobody looks at this page, a notification says it.
      tell(document.visibilityState === 'visible' ? null : failure)
    }
  }

  return null
}
