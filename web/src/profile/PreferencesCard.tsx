import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AppearanceChoice } from './AppearanceChoice.tsx'
import { useSetAutoJoin } from './profile.api.ts'
import { SettingsCard } from './SettingsCard.tsx'
import { profileStrings } from './strings.ts'

export function PreferencesCard({ user }: { user: User }) {
  const id = useId()
  const setAutoJoin = useSetAutoJoin(user)
  const { showError } = useSnackbar()
  return (
    <SettingsCard title={profileStrings.preferences}>
      <Box component="label" sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 1.5, cursor: 'pointer' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={`${id}-label`} sx={{ fontWeight: 600 }}>
            {profileStrings.autoJoin}
          </Typography>
          <Typography id={`${id}-text`} variant="body2" color="textSecondary">
            {profileStrings.autoJoinText}
          </Typography>
        </Box>
        <Switch
          checked={user.auto_join_chats ?? true}
          onChange={(_event, checked) => {
            if (setAutoJoin.isPending) return
            setAutoJoin.mutate(checked, { onError: () => showError(profileStrings.autoJoinFailed) })
          }}
          slotProps={{ input: { 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-text` } }}
        />
      </Box>
      <AppearanceChoice />
    </SettingsCard>
  )
}
