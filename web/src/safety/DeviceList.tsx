import type { Session } from '@hither/contract/auth/auth.ts'
import DevicesRounded from '@mui/icons-material/DevicesRounded'
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './devices.api.ts'
import { deviceStrings as strings } from './strings.ts'

export function DeviceList() {
  const sessions = useQuery({ ...sessionsQuery(), select: currentFirst })
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
      firstRows={3}
      failure={strings.devicesFailed}
      keyOf={({ id }) => id}
      renderRow={(session) => {
        const device = strings.deviceName(session.device)
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

/** The list is folded after its first rows, and the own device must be among them. */
function currentFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
}
