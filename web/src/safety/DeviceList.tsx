import type { Session } from '@hither/contract/auth/auth.ts'
import DevicesRounded from '@mui/icons-material/DevicesRounded'
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { t } from '../i18n/translate.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { deviceName } from './device-name.ts'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './devices.api.ts'

export function DeviceList() {
  const sessions = useQuery({ ...sessionsQuery(), select: currentFirst })
  const ending = useEndSession()
  const endingOthers = useEndOtherSessions()
  const { showError, showNotice } = useSnackbar()
  const hasOthers = sessions.data?.some(({ is_current }) => !is_current) ?? false

  function handleEndOthers() {
    endingOthers
      .mutateAsync()
      .then(() => showNotice(t('safety.device.othersSignedOut')))
      .catch(() => showError(t('safety.device.signOutOthersFailed')))
  }

  return (
    <SettingsGroup
      title={t('safety.device.devices')}
      rows={sessions}
      firstRows={3}
      failure={t('safety.device.devicesFailed')}
      keyOf={({ id }) => id}
      renderRow={(session) => {
        const device = deviceName(session.device)
        const Icon = /android|iphone|ipad|ios|mobile/i.test(device) ? SmartphoneRounded : DevicesRounded
        return (
          <>
            <Icon sx={{ color: 'text.secondary' }} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ overflowWrap: 'anywhere' }}>{device}</Typography>
              <Typography variant="body2" color="textSecondary">
                {t('safety.device.lastUsed')} <RelativeTime at={session.last_used_at} />
              </Typography>
            </Box>
            {session.is_current ? (
              <Chip size="small" label={t('safety.device.thisDevice')} color="primary" variant="outlined" />
            ) : (
              <RowButton
                name={t('safety.device.signOutDeviceOf', { device })}
                label={t('safety.device.signOutDevice')}
                onClick={() => ending.mutateAsync(session).catch(() => showError(t('safety.device.signOutFailed')))}
              />
            )}
          </>
        )
      }}
      action={
        hasOthers && (
          <Button color="error" onClick={handleEndOthers} sx={{ mx: 0.5, px: 1.5 }}>
            {t('safety.device.signOutOthers')}
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
