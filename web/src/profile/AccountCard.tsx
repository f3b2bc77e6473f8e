import type { User } from '@hither/contract/users.ts'
import EditRounded from '@mui/icons-material/EditRounded'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { SettingRow } from '../ui/settings/SettingRow.tsx'
import { SettingsCard } from '../ui/settings/SettingsCard.tsx'
import { DisplayNameForm } from './DisplayNameForm.tsx'
import { signInMethodsQuery } from './profile.api.ts'
import { ChangePasswordDialog } from './security/ChangePasswordDialog.tsx'
import { UsernameForm } from './UsernameForm.tsx'

export function AccountCard({ user }: { user: User }) {
  const [isEditing, setIsEditing] = useState(false)
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  // Nearly all accounts have a password, so this is assumed while it is unknown.
  const hasPassword = useQuery(signInMethodsQuery()).data?.password ?? true
  const [isNaming, setIsNaming] = useState(false)
  return (
    <SettingsCard title={t('profile.account')}>
      {isNaming ? (
        <DisplayNameForm user={user} onDone={() => setIsNaming(false)} />
      ) : (
        <SettingRow
          label={t('profile.displayName')}
          value={user.display_name ?? t('profile.noDisplayName')}
          note={t('profile.displayNameNote')}
        >
          <IconButton title={t('profile.editDisplayName')} onClick={() => setIsNaming(true)}>
            <EditRounded />
          </IconButton>
        </SettingRow>
      )}
      {isEditing ? (
        <UsernameForm user={user} onDone={() => setIsEditing(false)} />
      ) : (
        <SettingRow label={t('profile.username')} value={user.username}>
          <IconButton title={t('profile.editUsername')} onClick={() => setIsEditing(true)}>
            <EditRounded />
          </IconButton>
        </SettingRow>
      )}
      <SettingRow label={t('profile.email')} value={user.email} note={t('profile.emailFixed')} />
      <SettingRow
        label={t('profile.password')}
        value={hasPassword ? t('profile.passwordDots') : t('profile.noPassword')}
      >
        <IconButton title={t('profile.editPassword')} onClick={() => setIsChangingPassword(true)}>
          <EditRounded />
        </IconButton>
      </SettingRow>
      <ChangePasswordDialog
        open={isChangingPassword}
        hasPassword={hasPassword}
        onClose={() => setIsChangingPassword(false)}
      />
    </SettingsCard>
  )
}
