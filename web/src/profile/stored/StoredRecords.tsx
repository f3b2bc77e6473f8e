import { t } from '../../i18n/translate.ts'
import { clearPinRecords, usePinRecords } from '../../pings/pin-records/pin-records.ts'
import { useSession } from '../../session/session.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'

/** The places of own pins that this device stores. Nothing of them is sent to the server. */
export function StoredRecords() {
  const { user } = useSession()
  const records = usePinRecords()
  const { showNotice } = useSnackbar()
  if (user === null || records === null || records.length === 0) return null

  async function handleRemove(owner: NonNullable<typeof user>) {
    await clearPinRecords(owner.id)
    showNotice(t('profile.stored.removed'))
  }

  return (
    <SettingsCard title={t('profile.stored.sections.device')}>
      <ActionRow label={t('profile.stored.records', { count: records.length })}>
        <RowButton
          name={t('profile.stored.removeRecords')}
          label={t('profile.stored.remove')}
          onClick={() => void handleRemove(user)}
        />
      </ActionRow>
    </SettingsCard>
  )
}
