import { type User } from '@hither/contract/users.ts'
import { setAppearOffline, useAppearOffline } from '../live/appear-offline.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { PreferenceSwitch } from './PreferenceSwitch.tsx'
import { useSetAutoJoin } from './profile.api.ts'
import { SettingsCard } from './SettingsCard.tsx'
import { profileStrings } from './strings.ts'

export function PreferencesCard({ user }: { user: User }) {
  const setAutoJoin = useSetAutoJoin(user)
  const { showError } = useSnackbar()
  const isAppearingOffline = useAppearOffline()
  return (
    <SettingsCard title={profileStrings.preferences}>
      <PreferenceSwitch
        label={profileStrings.autoJoin}
        text={profileStrings.autoJoinText}
        checked={user.auto_join_chats ?? true}
        onChange={(checked) => {
          if (setAutoJoin.isPending) return
          setAutoJoin.mutateAsync(checked).catch(() => showError(profileStrings.autoJoinFailed))
        }}
      />
      <PreferenceSwitch
        label={profileStrings.appearOffline}
        text={profileStrings.appearOfflineText}
        checked={isAppearingOffline}
        onChange={setAppearOffline}
      />
      <AppearanceChoice />
    </SettingsCard>
  )
}
