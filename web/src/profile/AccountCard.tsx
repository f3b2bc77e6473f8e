import { type User } from '@hither/contract/users.ts'
import EditRounded from '@mui/icons-material/EditRounded'
import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import { SettingRow } from './SettingRow.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { profileStrings } from './strings.ts'
import { UsernameForm } from './UsernameForm.tsx'

export function AccountCard({ user }: { user: User }) {
  const [isEditing, setIsEditing] = useState(false)
  return (
    <SettingsCard title={profileStrings.account}>
      {isEditing ? (
        <UsernameForm user={user} onDone={() => setIsEditing(false)} />
      ) : (
        <SettingRow label={profileStrings.username} value={user.username}>
          <IconButton title={profileStrings.editUsername} onClick={() => setIsEditing(true)}>
            <EditRounded />
          </IconButton>
        </SettingRow>
      )}
      <SettingRow label={profileStrings.email} value={user.email} note={profileStrings.emailFixed}>
        <IconButton disabled aria-label={profileStrings.editEmail}>
          <EditRounded />
        </IconButton>
      </SettingRow>
      <SettingRow
        label={profileStrings.password}
        value={profileStrings.passwordDots}
        note={profileStrings.passwordElsewhere}
      >
        <IconButton disabled aria-label={profileStrings.editPassword}>
          <EditRounded />
        </IconButton>
      </SettingRow>
    </SettingsCard>
  )
}
