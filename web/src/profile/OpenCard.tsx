import { useNavigate } from 'react-router'
import { ActionRow } from './ActionRow.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DeviceList } from './DeviceList.tsx'
import { RowButton } from './RowButton.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { securityStrings as strings } from './security-strings.ts'

/** All that is open towards others, and the way to end each. */
export function OpenCard() {
  const navigate = useNavigate()
  return (
    <SettingsCard title={strings.open}>
      <ActionRow label={strings.openPins} text={strings.openPinsText}>
        <RowButton name={strings.openPinsName} label={strings.openPinsAction} onClick={() => void navigate('/')} />
      </ActionRow>
      <DeviceList />
      <BlockedPeople />
    </SettingsCard>
  )
}
