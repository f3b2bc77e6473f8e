import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { deviceStrings } from '../../../safety/strings.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { SettingsGroup } from '../../../ui/settings/SettingsGroup.tsx'
import { signInStrings as strings } from '../sign-in-strings.ts'
import { securityEventsQuery } from './security-events.api.ts'

/** The latest changes to how the viewer's account can be entered. */
export function SecurityActivity() {
  const events = useQuery({ ...securityEventsQuery(), staleTime: 0 })
  return (
    <SettingsGroup
      title={strings.activity}
      rows={events}
      firstRows={3}
      failure={strings.activityFailed}
      empty={strings.noActivity}
      keyOf={({ id }) => id}
      renderRow={({ kind, device, created_at }) => (
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography>{strings.events[kind]}</Typography>
          <Typography variant="body2" color="textSecondary">
            {device !== null && `${deviceStrings.deviceName(device)} · `}
            <RelativeTime at={created_at} />
          </Typography>
        </Box>
      )}
    />
  )
}
