import type { User } from '@hither/contract/users.ts'
import EditRounded from '@mui/icons-material/EditRounded'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SettingRow } from '../ui/settings/SettingRow.tsx'
import { SettingsCard } from '../ui/settings/SettingsCard.tsx'
import { DisplayNameForm } from './DisplayNameForm.tsx'
import { signInMethodsQuery } from './profile.api.ts'
import { ChangePasswordDialog } from './security/ChangePasswordDialog.tsx'
import { profileStrings } from './strings.ts'
import { UsernameForm } from './UsernameForm.tsx'

export function AccountCard({ user }: { user: User }) {
  const [isEditing, setIsEditing] = useState(false)
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  // Nearly all accounts have a password, so this is assumed while it is unknown.
  const hasPassword = useQuery(signInMethodsQuery()).data?.password ?? true
  const [isNaming, setIsNaming] = useState(false)
  return (
    <SettingsCard title={profileStrings.account}>
      {isNaming ? (
        <DisplayNameForm user={user} onDone={() => setIsNaming(false)} />
      ) : (
        <SettingRow
          label={profileStrings.displayName}
          value={user.display_name ?? profileStrings.noDisplayName}
          note={profileStrings.displayNameNote}
        >
          <IconButton title={profileStrings.editDisplayName} onClick={() => setIsNaming(true)}>
            <EditRounded />
          </IconButton>
        </SettingRow>
      )}
      {isEditing ? (
        <UsernameForm user={user} onDone={() => setIsEditing(false)} />
      ) : (
        <SettingRow label={profileStrings.username} value={user.username}>
          <IconButton title={profileStrings.editUsername} onClick={() => setIsEditing(true)}>
            <EditRounded />
          </IconButton>
        </SettingRow>
      )}
      <SettingRow label={profileStrings.email} value={user.email} note={profileStrings.emailFixed} />
      <SettingRow
        label={profileStrings.password}
        value={hasPassword ? profileStrings.passwordDots : profileStrings.noPassword}
      >
        <IconButton title={profileStrings.editPassword} onClick={() => setIsChangingPassword(true)}>
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
