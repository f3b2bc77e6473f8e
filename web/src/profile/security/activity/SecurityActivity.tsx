import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { t, textOf } from '../../../i18n/translate.ts'
import { deviceName } from '../../../safety/device-name.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { SettingsGroup } from '../../../ui/settings/SettingsGroup.tsx'
import { securityEventsQuery } from './security-events.api.ts'

/** The latest changes to how the viewer's account can be entered. */
export function SecurityActivity() {
  const events = useQuery({ ...securityEventsQuery(), staleTime: 0 })
  return (
    <SettingsGroup
      title={t('profile.signIn.activity')}
      rows={events}
      firstRows={3}
      failure={t('profile.signIn.activityFailed')}
      empty={t('profile.signIn.noActivity')}
      keyOf={({ id }) => id}
      renderRow={({ kind, device, created_at }) => (
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography>{textOf(`profile.signIn.events.${kind}`) ?? kind}</Typography>
          <Typography variant="body2" color="textSecondary">
            {device !== null && `${deviceName(device)} · `}
            <RelativeTime at={created_at} />
          </Typography>
        </Box>
      )}
    />
  )
}
