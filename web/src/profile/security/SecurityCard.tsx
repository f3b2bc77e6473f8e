import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientConfigQuery } from '../../api/client-config.ts'
import { canUsePasskeys } from '../../auth/passkeys/can-use-passkeys.ts'
import { t } from '../../i18n/translate.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { signInMethodsQuery } from '../profile.api.ts'
import { SecurityActivity } from './activity/SecurityActivity.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { ExportRow } from './ExportRow.tsx'
import { Passkeys } from './passkeys/Passkeys.tsx'
import { useProviderRows } from './providers/use-provider-rows.tsx'
import { RecoveryCodesRow } from './recovery-codes/RecoveryCodesRow.tsx'

export function SecurityCard() {
  const [asking, setAsking] = useState<'password' | 'delete' | null>(null)
  // Nearly all accounts have a password, so this is assumed while it is unknown.
  const hasPassword = useQuery(signInMethodsQuery()).data?.password ?? true
  const hasPasskeys = canUsePasskeys(useQuery(clientConfigQuery()).data)
  const providerRows = useProviderRows()
  const close = () => setAsking(null)
  return (
    <>
      <SettingsCard title={t('profile.security.title')}>
        <ActionRow
          label={hasPassword ? t('profile.security.changePassword') : t('profile.security.setPassword')}
          text={hasPassword ? t('profile.security.changePasswordText') : t('profile.security.setPasswordText')}
        >
          <RowButton
            name={hasPassword ? t('profile.security.changePassword') : t('profile.security.setPassword')}
            label={hasPassword ? t('profile.security.changeAction') : t('profile.security.setAction')}
            onClick={() => setAsking('password')}
          />
        </ActionRow>
        {hasPasskeys && <Passkeys />}
        {providerRows}
        <RecoveryCodesRow />
        <SecurityActivity />
        <ExportRow />
        <ActionRow label={t('profile.security.deleteAccount')} text={t('profile.security.deleteAccountText')}>
          <RowButton
            color="error"
            name={t('profile.security.deleteAccount')}
            label={t('profile.security.deleteAction')}
            onClick={() => setAsking('delete')}
          />
        </ActionRow>
      </SettingsCard>
      <ChangePasswordDialog open={asking === 'password'} hasPassword={hasPassword} onClose={close} />
      <DeleteAccountDialog open={asking === 'delete'} hasPassword={hasPassword} onClose={close} />
    </>
  )
}
