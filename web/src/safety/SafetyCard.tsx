import { BlockedPeople } from '../profile/BlockedPeople.tsx'
import { DeviceList } from '../profile/DeviceList.tsx'
import { SettingsCard } from '../profile/SettingsCard.tsx'
import { OpenPins } from './OpenPins.tsx'
import { safetyStrings } from './strings.ts'

/** Everything that gives others access, and the way to end each: pins, public links, devices, blocked people. */
export function SafetyCard() {
  return (
    <SettingsCard title={safetyStrings.title}>
      <OpenPins />
      <DeviceList />
      <BlockedPeople />
    </SettingsCard>
  )
}
