import { clearPinRecords, usePinRecords } from '../../pings/pin-records/pin-records.ts'
import { useSession } from '../../session/session.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { storedStrings as strings } from './strings.ts'

/** The places of own pins that this device stores. Nothing of them is sent to the server. */
export function StoredRecords() {
  const { user } = useSession()
  const records = usePinRecords()
  const { showNotice } = useSnackbar()
  if (user === null || records === null || records.length === 0) return null

  async function handleRemove(owner: NonNullable<typeof user>) {
    await clearPinRecords(owner.id)
    showNotice(strings.removed)
  }

  return (
    <SettingsCard title={strings.sections.device}>
      <ActionRow label={strings.records(records.length)}>
        <RowButton name={strings.removeRecords} label={strings.remove} onClick={() => void handleRemove(user)} />
      </ActionRow>
    </SettingsCard>
  )
}
