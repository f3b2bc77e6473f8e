import type { User } from '@hither/contract/users.ts'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSendTest } from '../notifications.api.ts'
import { usePushState } from '../push/use-push-state.ts'
import { usePushToggle } from '../push/use-push-toggle.ts'
import { cardStrings as strings } from '../strings.ts'
import { NotificationSettingsDialog } from './NotificationSettingsDialog.tsx'

export function NotificationsCard({ user }: { user: User }) {
  const { state, pushKey } = usePushState(user)
  const { turnOn, turnOff, isWorking } = usePushToggle(user)
  const testing = useSendTest()
  const { showError, showNotice } = useSnackbar()
  const [isChoosing, setIsChoosing] = useState(false)

  function handleTest() {
    testing
      .mutateAsync()
      .then(() => showNotice(strings.testSent))
      .catch((error: unknown) => showError(messageOf(error, strings.testFailed)))
  }

  return (
    <>
      <SettingsCard title={strings.title}>
        <ActionRow label={strings.device} text={<span role="status">{strings.states[state]}</span>}>
          {state === 'off' && pushKey !== null && (
            <RowButton
              name={strings.turnOnName}
              label={strings.turnOn}
              isWorking={isWorking}
              onClick={() => turnOn(pushKey)}
            />
          )}
          {state === 'on' && (
            <RowButton name={strings.turnOffName} label={strings.turnOff} isWorking={isWorking} onClick={turnOff} />
          )}
        </ActionRow>
        {state === 'on' && (
          <ActionRow label={strings.test} text={strings.testText}>
            <RowButton
              name={strings.sendTest}
              label={strings.sendTest}
              isWorking={testing.isPending}
              onClick={handleTest}
            />
          </ActionRow>
        )}
        <ActionRow label={strings.settings} text={strings.settingsText}>
          <RowButton name={strings.chooseName} label={strings.choose} onClick={() => setIsChoosing(true)} />
        </ActionRow>
      </SettingsCard>
      <NotificationSettingsDialog open={isChoosing} onClose={() => setIsChoosing(false)} />
    </>
  )
}
