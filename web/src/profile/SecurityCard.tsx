import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionRow } from './ActionRow.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { ExportRow } from './ExportRow.tsx'
import { signInMethodsQuery } from './profile.api.ts'
import { RowButton } from './RowButton.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { securityStrings as strings } from './security-strings.ts'

export function SecurityCard() {
  const [asking, setAsking] = useState<'password' | 'delete' | null>(null)
  // Until it is known, and where it cannot be: what nearly all have.
  const hasPassword = useQuery(signInMethodsQuery()).data?.password ?? true
  const close = () => setAsking(null)
  return (
    <>
      <SettingsCard title={strings.title}>
        <ActionRow
          label={hasPassword ? strings.changePassword : strings.setPassword}
          text={hasPassword ? strings.changePasswordText : strings.setPasswordText}
        >
          <RowButton
            name={hasPassword ? strings.changePassword : strings.setPassword}
            label={hasPassword ? strings.changeAction : strings.setAction}
            onClick={() => setAsking('password')}
          />
        </ActionRow>
        <ExportRow />
        <ActionRow label={strings.deleteAccount} text={strings.deleteAccountText}>
          <RowButton
            color="error"
            name={strings.deleteAccount}
            label={strings.deleteAction}
            onClick={() => setAsking('delete')}
          />
        </ActionRow>
      </SettingsCard>
      <ChangePasswordDialog open={asking === 'password'} hasPassword={hasPassword} onClose={close} />
      <DeleteAccountDialog open={asking === 'delete'} hasPassword={hasPassword} onClose={close} />
    </>
  )
}
