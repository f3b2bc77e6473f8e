import type { User } from '@hither/contract/users.ts'
import { t } from '../i18n/translate.ts'
import { showSuggestions, useAreSuggestionsShown } from '../pings/suggestions/stored-suggestions.ts'
import { setAppearOffline, useAppearOffline } from '../realtime/appear-offline.ts'
import { PreferenceSwitch } from '../ui/settings/PreferenceSwitch.tsx'
import { SettingsCard } from '../ui/settings/SettingsCard.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { DistanceChoice } from './DistanceChoice.tsx'
import { LanguageRow } from './LanguageRow.tsx'
import { useSetAutoJoin } from './profile.api.ts'

export function PreferencesCard({ user }: { user: User }) {
  const setAutoJoin = useSetAutoJoin(user)
  const { showError } = useSnackbar()
  const areSuggestionsShown = useAreSuggestionsShown(user.id)
  const isAppearingOffline = useAppearOffline()
  return (
    <SettingsCard title={t('profile.preferences')}>
      <PreferenceSwitch
        label={t('profile.autoJoin')}
        text={t('profile.autoJoinText')}
        checked={user.auto_join_chats ?? true}
        onChange={(checked) => {
          if (setAutoJoin.isPending) return
          setAutoJoin.mutateAsync(checked).catch(() => showError(t('profile.autoJoinFailed')))
        }}
      />
      <PreferenceSwitch
        label={t('profile.appearOffline')}
        text={t('profile.appearOfflineText')}
        checked={isAppearingOffline}
        onChange={setAppearOffline}
      />
      <PreferenceSwitch
        label={t('profile.suggestions')}
        text={t('profile.suggestionsText')}
        checked={areSuggestionsShown}
        onChange={(areShown) => showSuggestions(user.id, areShown)}
      />
      <AppearanceChoice />
      <DistanceChoice />
      <LanguageRow />
    </SettingsCard>
  )
}
