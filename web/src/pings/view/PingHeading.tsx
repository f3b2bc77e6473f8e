import type { PingStatus, ShownPing } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ComponentProps, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { titleOf } from '../pings.rules.ts'
import { PingTime } from './PingTime.tsx'
import { StatusChip } from './StatusChip.tsx'

type HeadedPing = Pick<
  ShownPing,
  'access' | 'name' | 'is_unnamed' | 'username' | 'display_name' | 'canceled_at' | 'cancel_message'
> &
  ComponentProps<typeof PingTime>['ping']

interface Props {
  ping: HeadedPing
  status: PingStatus
  /** `color` is the color of the avatar, for viewers who do not know the id of the owner. */
  owner: { id: string; hasImage: boolean; color?: number }
  /** Chips before the status. */
  children?: ReactNode
}

/** The owner, the name and the status of a ping. */
export function PingHeading({ ping, status, owner, children }: Props) {
  return (
    <>
      {status === 'expired' && <EndNote ping={ping} />}
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
        <UserAvatar userId={owner.id} name={shownName(ping)} colour={owner.color} hasImage={owner.hasImage} size={56} />
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h1" sx={{ fontSize: '1.5rem', overflowWrap: 'anywhere' }}>
            <bdi>{titleOf(ping)}</bdi>
          </Typography>
          {ping.name && (
            <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {t('pings.by', { username: shownName(ping) })}
            </Typography>
          )}
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        {children}
        <StatusChip status={status} isCanceled={ping.canceled_at !== null} />
        {status !== 'expired' && (
          <Typography sx={{ fontWeight: 700, fontVariantNumeric: 'tabular-nums' }}>
            <PingTime ping={ping} wording="remaining" />
          </Typography>
        )}
      </Box>
    </>
  )
}

/** Why nobody can respond any more: the ping has expired, or its owner has canceled it and may have said why. */
function EndNote({ ping }: { ping: HeadedPing }) {
  if (ping.canceled_at === null) return <Alert severity="warning">{t('errors.ping_expired')}</Alert>
  return (
    <Alert severity="warning" sx={{ '& .MuiAlert-message': { minWidth: 0 } }}>
      <Typography variant="body2" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
        {t('pings.canceledBy', { owner: shownName(ping) })}
      </Typography>
      {ping.cancel_message && (
        <Typography variant="body2" sx={{ mt: 0.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {ping.cancel_message}
        </Typography>
      )}
    </Alert>
  )
}
