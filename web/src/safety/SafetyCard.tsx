import type { User } from '@hither/contract/users.ts'
import { t } from '../i18n/translate.ts'
import { SettingsCard } from '../ui/settings/SettingsCard.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DeviceList } from './DeviceList.tsx'
import { OpenFriendLinks } from './OpenFriendLinks.tsx'
import { OpenPins } from './OpenPins.tsx'
import { OpenTrips } from './OpenTrips.tsx'

/** Everything that gives others access, and the way to end each: pins, public links, arrival times,
 * friend links, devices, blocked people. */
export function SafetyCard({ user }: { user: User }) {
  return (
    <SettingsCard title={t('safety.title')}>
      <OpenPins />
      <OpenTrips viewer={user} />
      <OpenFriendLinks />
      <DeviceList />
      <BlockedPeople />
    </SettingsCard>
  )
}
