import type { User } from '@hither/contract/users.ts'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { PushUnavailable, turnOffPush, turnOnPush } from './push-device.ts'
import { storePushTexts } from './push-texts.ts'

/**
 * Turns notifications on this device on and off, and shows the result. A denied permission is shown by the push state.
 */
export function usePushToggle(user: User) {
  const { showError, showNotice } = useSnackbar()
  const [isWorking, setIsWorking] = useState(false)

  async function work(turn: () => Promise<boolean>, done: string, failure: string) {
    setIsWorking(true)
    try {
      if (await turn()) showNotice(done)
    } catch (error) {
      showError(error instanceof PushUnavailable ? t('notifications.card.pushUnavailable') : messageOf(error, failure))
    }
    setIsWorking(false)
  }

  async function turnOnWith(pushKey: string) {
    const isOn = await turnOnPush(user, pushKey)
    // Without them, the service worker shows its own texts in English.
    if (isOn) await storePushTexts().catch(() => undefined)
    return isOn
  }

  return {
    isWorking,
    turnOn: (pushKey: string) =>
      work(() => turnOnWith(pushKey), t('notifications.card.turnedOn'), t('notifications.subscribeFailed')),
    turnOff: () =>
      work(
        () => turnOffPush().then(() => true),
        t('notifications.card.turnedOff'),
        t('notifications.unsubscribeFailed'),
      ),
  }
}
