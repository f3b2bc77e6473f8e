import DevicesRounded from '@mui/icons-material/DevicesRounded'
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './profile.api.ts'
import { RowButton } from './RowButton.tsx'
import { SettingsGroup } from './SettingsGroup.tsx'
import { securityStrings as strings } from './security-strings.ts'

export function DeviceList() {
  const sessions = useQuery(sessionsQuery())
  const ending = useEndSession()
  const endingOthers = useEndOtherSessions()
  const { showError, showNotice } = useSnackbar()
  const hasOthers = sessions.data?.some(({ is_current }) => !is_current) ?? false

  function handleEndOthers() {
    endingOthers
      .mutateAsync()
      .then(() => showNotice(strings.othersSignedOut))
      .catch(() => showError(strings.signOutOthersFailed))
  }

  return (
    <SettingsGroup
      title={strings.devices}
      rows={sessions}
      failure={strings.devicesFailed}
      keyOf={({ id }) => id}
      renderRow={(session) => {
        const device = session.device ?? strings.unknownDevice
        const Icon = /android|iphone|ipad|ios|mobile/i.test(device) ? SmartphoneRounded : DevicesRounded
        return (
          <>
            <Icon sx={{ color: 'text.secondary' }} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ overflowWrap: 'anywhere' }}>{device}</Typography>
              <Typography variant="body2" color="textSecondary">
                {strings.lastUsed} <RelativeTime at={session.last_used_at} />
              </Typography>
            </Box>
            {session.is_current ? (
              <Chip size="small" label={strings.thisDevice} color="primary" variant="outlined" />
            ) : (
              <RowButton
                name={strings.signOutDeviceOf(device)}
                label={strings.signOutDevice}
                onClick={() => ending.mutateAsync(session).catch(() => showError(strings.signOutFailed))}
              />
            )}
          </>
        )
      }}
      action={
        hasOthers && (
          <Button color="error" onClick={handleEndOthers} sx={{ mx: 0.5, px: 1.5 }}>
            {strings.signOutOthers}
          </Button>
        )
      }
    />
  )
}
