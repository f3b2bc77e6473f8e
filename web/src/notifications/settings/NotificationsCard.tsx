import type { User } from '@hither/contract/users.ts'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSendTest } from '../notifications.api.ts'
import { usePushState } from '../push/use-push-state.ts'
import { usePushToggle } from '../push/use-push-toggle.ts'
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
      .then(() => showNotice(t('notifications.card.testSent')))
      .catch((error: unknown) => showError(messageOf(error, t('notifications.testFailed'))))
  }

  return (
    <>
      <SettingsCard title={t('notifications.card.title')}>
        <ActionRow
          label={t('notifications.card.device')}
          text={<span role="status">{state === 'checking' ? '' : t(`notifications.card.states.${state}`)}</span>}
        >
          {state === 'off' && pushKey !== null && (
            <RowButton
              name={t('notifications.card.turnOnName')}
              label={t('notifications.card.turnOn')}
              isWorking={isWorking}
              onClick={() => turnOn(pushKey)}
            />
          )}
          {state === 'on' && (
            <RowButton
              name={t('notifications.card.turnOffName')}
              label={t('notifications.card.turnOff')}
              isWorking={isWorking}
              onClick={turnOff}
            />
          )}
        </ActionRow>
        {state === 'on' && (
          <ActionRow label={t('notifications.card.test')} text={t('notifications.card.testText')}>
            <RowButton
              name={t('notifications.card.sendTest')}
              label={t('notifications.card.sendTest')}
              isWorking={testing.isPending}
              onClick={handleTest}
            />
          </ActionRow>
        )}
        <ActionRow label={t('notifications.card.settings')} text={t('notifications.card.settingsText')}>
          <RowButton
            name={t('notifications.card.chooseName')}
            label={t('notifications.card.choose')}
            onClick={() => setIsChoosing(true)}
          />
        </ActionRow>
      </SettingsCard>
      <NotificationSettingsDialog open={isChoosing} onClose={() => setIsChoosing(false)} />
    </>
  )
}
